"""How near a table comes to its teacher, on texts it was not trained on."""

import torch
import torch.nn.functional as F


@torch.no_grad()
def measure(table, bags, targets, taught, pair_bags):
    """
    cosine: to the projected teacher vectors; spearman: over all pairs of the first 2,000 held-out texts; neighbours_at_10:
    share of the teacher's ten nearest held-out texts that are among the student's; gloss_to_example: finding the one
    example sentence of a gloss among all. Similarities of the teacher are those of its own 384 numbers, so that centring
    and projection are judged as well.
    """
    held, theirs = len(taught), taught
    mine = F.normalize(bags.sum(table, torch.arange(held, device=bags.device)), dim=1)
    first = min(2000, held)
    upper = torch.triu_indices(first, first, 1, device=bags.device)
    spearman = correlate(ranks((mine[:first] @ mine[:first].T)[upper[0], upper[1]]), ranks((theirs[:first] @ theirs[:first].T)[upper[0], upper[1]]))
    sides = [F.normalize(side.sum(table, torch.arange(side.texts, device=side.device)), dim=1) for side in pair_bags]
    scores = sides[0] @ sides[1].T
    rank = (scores > scores.diagonal()[:, None]).sum(1)
    return {
        "cosine": rounded((mine * targets).sum(1).mean()),
        "spearman": rounded(spearman),
        "neighbours_at_10": rounded(shared_neighbours(mine, theirs)),
        "gloss_to_example_mrr": rounded((1 / (rank + 1)).mean()),
        "gloss_to_example_at_10": rounded((rank < 10).float().mean()),
    }


def shared_neighbours(mine, theirs, count=10):
    nearest = [(side @ side.T).fill_diagonal_(-2).topk(min(count, len(side) - 1), dim=1).indices for side in (mine, theirs)]
    return (nearest[0][:, :, None] == nearest[1][:, None, :]).any(2).float().mean()


def ranks(values):
    places = torch.empty_like(values)
    places[values.argsort()] = torch.arange(len(values), device=values.device, dtype=values.dtype)
    return places


def correlate(left, right):
    left, right = left.double() - left.double().mean(), right.double() - right.double().mean()
    return (left @ right) / (left.norm() * right.norm())


def rounded(value):
    return round(float(value), 4)
