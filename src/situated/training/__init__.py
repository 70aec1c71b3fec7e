"""Training: fitting with resumable checkpoints, optimizers, batches by length."""
