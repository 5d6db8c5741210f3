"""Randomized response, with the coins of the standard library."""

import math
import random

import couplet


@couplet.private(epsilon="epsilon", adjacent="answer<1> or not answer<1>", types={"answer": "bool"}, private=["answer"])
def truthful_with_probability(answer, epsilon):
    """The truth with probability e^epsilon/(1 + e^epsilon)."""
    if random.random() < math.exp(epsilon) / (1 + math.exp(epsilon)):
        return answer
    return not answer


@couplet.private(epsilon="1.1", adjacent="answer<1> or not answer<1>", types={"answer": "bool"}, private=["answer"])
def two_coins(answer):
    """Heads: the truth. Tails: the result of another coin. The loss is ln 3, less than 1.1."""
    if random.random() < 0.5:
        return answer
    return random.random() < 0.5


@couplet.private(epsilon="1", adjacent="answer<1> or not answer<1>", types={"answer": "bool"}, private=["answer"])
def two_coins_too_sure(answer):
    """Wrong: ln 3 is more than 1."""
    if random.random() < 0.5:
        return answer
    return random.random() < 0.5
