from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn

from situated.retriever.gather import gather_rows
from situated.retriever.gradcache import encode_in_chunks
from situated.retriever.loss import in_batch_loss, same_row_or_question

DIM = 6
QUESTIONS = [3, 2]  # of either process: unequal on purpose


def test_the_loss_equals_a_hand_computed_example() -> None:
    questions = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    passages = torch.tensor([[1.0, 1.0], [0.0, 1.0], [3.0, 0.0]])
    # scores: [1, 0, 3] and [2, 2, 0]
    loss = in_batch_loss(questions, passages, torch.tensor([0, 1]))
    first = math.log(math.e + 1 + math.e**3) - 1
    second = math.log(2 * math.e**2 + 1) - 2
    assert loss.tolist() == pytest.approx([first, second], abs=1e-6)


def test_the_temperature_divides_the_scores_and_the_mask_takes_false_negatives_out() -> None:
    questions, passages = torch.tensor([[1.0]]), torch.tensor([[1.0], [0.0], [3.0]])
    mask = torch.tensor([[True, False, True]])  # the positive stays
    loss = in_batch_loss(questions, passages, torch.tensor([0]), mask, temperature=0.5)
    assert loss.item() == pytest.approx(math.log(math.e**2 + 1) - 2, abs=1e-6)


def test_the_positive_again_and_the_same_questions_positive_are_false_negatives() -> None:
    mask = same_row_or_question(
        passage_keys=torch.tensor([5, 6, 5, 7]),
        passage_questions=torch.tensor([1, -1, 2, 1]),
        positives=torch.tensor([0, 2]),
        questions=torch.tensor([1, 2]),
    )
    assert mask.tolist() == [[True, False, True, True], [True, False, True, False]]


def _loss_and_gradients(rank: int | None) -> list[Tensor]:
    """Loss and gradients of the global batch, as one process or as DDP would average them over two."""
    generator = torch.Generator().manual_seed(3)
    data, weights = torch.randn(15, 4, generator=generator), torch.randn(4, DIM, generator=generator)
    questions, passages = data[:5], data[5:]  # two passages a question
    if rank is not None:
        start = sum(QUESTIONS[:rank])
        questions = questions[start : start + QUESTIONS[rank]]
        passages = passages[2 * start : 2 * (start + QUESTIONS[rank])]
    weights.requires_grad_()
    every, first = gather_rows(passages @ weights)
    positives = first + 2 * torch.arange(len(questions))
    loss = in_batch_loss(questions @ weights, every, positives).sum() / 5
    loss.backward()  # type: ignore[no-untyped-call]
    assert weights.grad is not None
    return [loss.detach(), weights.grad]


def _process(rank: int, folder: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    try:
        parts = _loss_and_gradients(rank)
        for part in parts:
            dist.all_reduce(part)
        if rank == 0:
            torch.save(parts, f"{folder}/parts.pt")
    finally:
        dist.destroy_process_group()


def test_two_processes_have_the_loss_and_gradients_of_one(tmp_path: Path) -> None:
    context = torch.multiprocessing.get_context("fork")
    processes = [context.Process(target=_process, args=(rank, str(tmp_path))) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    for found, expected in zip(torch.load(tmp_path / "parts.pt"), _loss_and_gradients(None), strict=True):
        torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-6)


class _Encoder(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.embed, self.drop, self.out = nn.Embedding(20, 8), nn.Dropout(dropout), nn.Linear(8, DIM)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        states: Tensor = self.out(torch.tanh(self.drop(self.embed(ids)))) * mask[..., None]
        return states.sum(1)


@pytest.mark.parametrize("rows", [1, 3, 16])
def test_chunks_have_the_gradients_of_the_whole_batch(rows: int) -> None:
    torch.manual_seed(0)
    encoder = _Encoder(dropout=0.0)
    ids = torch.randint(1, 20, (10, 7))
    mask = (torch.arange(7) < torch.randint(1, 8, (10, 1))).long()
    found = []
    for size in (None, rows):
        encoder.zero_grad()
        vectors = encode_in_chunks(encoder, ids, mask, size)
        in_batch_loss(vectors[:4], vectors[4:], torch.arange(4)).mean().backward()  # type: ignore[no-untyped-call]
        found.append([p.grad.clone() for p in encoder.parameters() if p.grad is not None])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


def test_dropout_draws_the_same_numbers_in_the_second_pass() -> None:
    ids, mask = torch.randint(1, 20, (8, 5)), torch.ones(8, 5, dtype=torch.long)
    encoder = _Encoder(dropout=0.5)
    gradients = []
    for chunked in (False, True):
        encoder.zero_grad()
        torch.manual_seed(1)
        parts = [encode_in_chunks(encoder, i, m, 2) for i, m in [(ids, mask)]] if chunked else [
            encoder(i, m) for i, m in zip(ids.split(2), mask.split(2), strict=True)  # type: ignore[no-untyped-call]
        ]  # fmt: skip
        torch.cat(parts).square().sum().backward()  # type: ignore[no-untyped-call]
        gradients.append(encoder.embed.weight.grad)
    torch.testing.assert_close(gradients[0], gradients[1], atol=1e-5, rtol=1e-5)
