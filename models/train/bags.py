"""Texts as bags of word pieces, stored flat on the device."""

import numpy as np
import torch
import torch.nn.functional as F


class Bags:
    def __init__(self, rows, vocabulary, device, once, skip):
        lengths = torch.from_numpy(np.array([len(row) for row in rows]))
        pieces = torch.from_numpy(np.concatenate(rows)).to(device)
        owners = torch.repeat_interleave(torch.arange(len(rows)), lengths).to(device)
        kept = ~torch.isin(pieces, torch.tensor(skip, device=device))
        keys, counts = torch.unique(owners[kept] * vocabulary + pieces[kept], return_counts=True)
        self.texts, self.vocabulary, self.device = len(rows), vocabulary, device
        self.pieces, self.owners = keys % vocabulary, keys // vocabulary
        self.counts = torch.ones_like(counts, dtype=torch.float32) if once else counts.float()
        self.lengths = torch.bincount(self.owners, minlength=len(rows))
        self.starts = self.lengths.cumsum(0) - self.lengths

    def flat(self, chosen):
        """Pieces, counts and offsets of the chosen texts, one after another."""
        lengths = self.lengths[chosen]
        offsets = lengths.cumsum(0) - lengths
        where = torch.repeat_interleave(self.starts[chosen] - offsets, lengths) + torch.arange(int(lengths.sum()), device=self.device)
        return self.pieces[where], self.counts[where], offsets

    def sum(self, table, chosen):
        pieces, counts, offsets = self.flat(chosen)
        return F.embedding_bag(pieces, table, offsets, mode="sum", per_sample_weights=counts)

    def piece_counts(self, held):
        """In how many training texts (weighted by occurrences) each piece is; the first `held` texts do not count."""
        mine = self.owners >= held
        return torch.zeros(self.vocabulary, device=self.device).index_add_(0, self.pieces[mine], self.counts[mine])

    def normal_equations(self, held, targets, frequency, chunk=8192):
        """X'X and X'T over the pieces seen in training, where a row of X is the text's weighted counts at length one."""
        seen = torch.nonzero(self.piece_counts(held) > 0)[:, 0]
        place = torch.full((self.vocabulary,), -1, dtype=torch.long, device=self.device)
        place[seen] = torch.arange(len(seen), device=self.device)
        gram = torch.zeros((len(seen), len(seen)), device=self.device, dtype=torch.float64)
        sums = torch.zeros((len(seen), targets.shape[1]), device=self.device, dtype=torch.float64)
        for begin in range(held, self.texts, chunk):
            chosen = torch.arange(begin, min(begin + chunk, self.texts), device=self.device)
            pieces, counts, _ = self.flat(chosen)
            lines = torch.repeat_interleave(torch.arange(len(chosen), device=self.device), self.lengths[chosen])
            matrix = torch.zeros((len(chosen), len(seen)), device=self.device)
            matrix[lines, place[pieces]] = counts * frequency[pieces]
            # Rounded to half first, so that the fast matrix product and the right-hand side see the same numbers.
            matrix = F.normalize(matrix, dim=1).half().float()
            gram += matrix.T @ matrix
            sums += matrix.T @ targets[chosen]
        return gram, sums, seen
