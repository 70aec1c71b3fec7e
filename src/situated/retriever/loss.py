"""The bi-encoder's loss: each question's own passage against all others of the global batch."""

from __future__ import annotations

import torch
from torch import Tensor


def in_batch_loss(
    questions: Tensor,
    passages: Tensor,
    positives: Tensor,
    false_negatives: Tensor | None = None,
    temperature: float = 1.0,
) -> Tensor:
    """Cross-entropy of every question's positive among the passages, by the unscaled dot product.

    Args:
        questions: (questions, dim)
        passages: (passages, dim), of the global batch: positives and hard negatives.
        positives: (questions,) the row of each question's positive.
        false_negatives: (questions, passages) bool: passages that no question may be driven from, since they answer
            it too. A question's own positive stays whatever stands there.
        temperature: Divides the scores; 1 in DPR.

    Returns:
        (questions,) one loss a question.

    Source: Karpukhin et al. 2020 (DPR), equation 2.

    >>> in_batch_loss(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0], [0.0, 2.0]]), torch.tensor([0]))
    tensor([0.6931])
    """
    scores = (questions @ passages.T).float() / temperature
    if false_negatives is not None:
        out = false_negatives.scatter(1, positives[:, None], value=False)
        scores = scores.masked_fill(out, float("-inf"))
    return torch.nn.functional.cross_entropy(scores, positives, reduction="none")


def same_row_or_question(
    passage_keys: Tensor, passage_questions: Tensor, positives: Tensor, questions: Tensor
) -> Tensor:
    """Which passages are false negatives of which questions, as far as their numbers tell.

    Args:
        passage_keys: (passages,) equal for equal passages.
        passage_questions: (passages,) number of the question whose positive a passage is, -1 for a hard negative.
        positives: (questions,) row of each one's positive.
        questions: (questions,) the questions' numbers, equal for one question in several contexts.

    Returns:
        (questions, passages) bool: the positive passage again, or a positive of the same question elsewhere.
    """
    again = passage_keys[None] == passage_keys[positives][:, None]
    return again | (passage_questions[None] == questions[:, None])
