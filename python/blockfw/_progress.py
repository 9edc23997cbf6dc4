# SPDX-License-Identifier: MIT
"""Progress of a solve: a bar, or the caller's function."""
from contextlib import contextmanager


@contextmanager
def shown(progress):
    """The function that the compiled part calls as f(done, in all): None, the caller's function, or that of a tqdm
    bar."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    else:
        from tqdm.auto import tqdm

        with tqdm(unit="part") as bar:

            def advance(done, total):
                bar.total = total
                bar.update(done - bar.n)

            yield advance
