# SPDX-License-Identifier: MIT
"""Checks the links of a made site: each names a file of the site, and a place in it.

    links.py FOLDER
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


def main(folder):
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        sys.exit(f"links: {folder} has no pages")
    dead, checked = [], 0
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or not target.is_relative_to(folder):
                dead.append(f"{path.relative_to(folder)}: {link}: no such file")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                dead.append(f"{path.relative_to(folder)}: {link}: no such place")
    print(*dead, sep="\n", end="\n" if dead else "")
    print(f"links: {len(pages)} pages, {checked} links, {len(dead)} of them dead")
    sys.exit(bool(dead))


if __name__ == "__main__":
    main(sys.argv[1])
