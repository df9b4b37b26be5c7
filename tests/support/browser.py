"""browser.py REPORT CHROMIUM: opens the pages of a report in a headless
Chromium, in both colour schemes and in a narrow window, and prints TAP. It
uses the DevTools protocol over a pipe (descriptors 3 and 4, messages end
with NUL), so it needs only Python. SHOTS=DIR keeps screenshots of the
pages."""

import base64
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

WIDE, NARROW = 1200, 400
LETTERS = 9  # pixels, the smallest readable size


class Browser:
    def __init__(self, program, home):
        here, there = os.pipe(), os.pipe()  # to it, from it

        def pipes():
            # Chromium reserves terabytes of addresses but uses few.
            most = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            read, write = os.dup(here[0]), os.dup(there[1])
            os.dup2(read, 3)
            os.dup2(write, 4)

        command = [program, "--headless", "--remote-debugging-pipe",
                   "--user-data-dir=" + home, "--no-first-run",
                   "--disable-gpu", "--disable-dev-shm-usage",
                   "--hide-scrollbars", "--disable-component-update",
                   "--disable-background-networking"]
        if os.getuid() == 0:
            command.append("--no-sandbox")  # root needs it
        self.process = subprocess.Popen(
            command, close_fds=False, preexec_fn=pipes,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=home))
        os.close(here[0])
        os.close(there[1])
        self.to = os.fdopen(here[1], "wb", 0)
        self.come = os.fdopen(there[0], "rb")
        self.number, self.rest, self.events = 0, b"", []
        target = self.call("Target.createTarget", url="about:blank")
        self.session = None
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def read(self):
        while b"\0" not in self.rest:
            more = os.read(self.come.fileno(), 1 << 20)
            if not more:
                raise SystemExit("Bail out! the browser ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + str(answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired"
                      for e in self.events):
            self.events.append(self.read())
        seen, self.events = self.events, []
        return seen

    def run(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def key(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}])

    def width(self, pixels):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels,
                  height=900, deviceScaleFactor=1, mobile=False)

    def shot(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"],
                "height": min(size["height"], 2400), "scale": 1}
        data = self.call("Page.captureScreenshot", clip=clip,
                         captureBeyondViewport=True)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except SystemExit:
            pass
        self.process.wait(20)


# Returns facts about a page.
FACTS = r"""(() => {
  const all = (q, at) => Array.from((at || document).querySelectorAll(q));
  const wrong = [];
  const must = (is, what) => { if (!is) wrong.push(what); };
  must(document.documentElement.lang === 'en', 'no language');
  must(document.title.length > 0, 'no title');
  for (const q of ['h1', 'main', 'header', 'footer'])
    must(all(q).length === 1, all(q).length + ' of ' + q);
  const navs = all('nav').map(n => n.getAttribute('aria-label'));
  must(navs[0] && new Set(navs).size === navs.length, 'navs: ' + navs);
  for (const t of all('table')) {
    must(t.caption && t.caption.textContent.trim(), 'a table has no caption');
    for (const th of all('th', t))
      must(/^(col|row|colgroup)$/.test(th.scope), 'a th without scope');
    if (t.tHead) {
      const n = t.tHead.rows[t.tHead.rows.length - 1].cells.length;
      for (const r of all('tbody tr, tfoot tr', t))
        must(r.cells.length === n, 'a row of ' + r.cells.length + ', not ' + n);
    }
  }
  for (const s of all('main svg')) {
    must(s.getAttribute('role') === 'img', 'an svg has no role');
    for (const a of ['aria-labelledby', 'aria-describedby']) {
      const e = document.getElementById(s.getAttribute(a));
      must(e && e.textContent.trim(), 'an svg lacks ' + a);
    }
    must(s.getBoundingClientRect().height > 50, 'an svg is flat');
    for (const u of all('use', s))
      must(s.querySelector('#' + CSS.escape(
        u.getAttribute('xlink:href').slice(1))), 'a use of nothing');
  }
  for (const i of all('img'))
    must(i.complete && i.naturalWidth && i.alt, 'a picture: ' + i.src);
  let level = 1;
  for (const h of all('h1, h2, h3')) {
    const l = Number(h.tagName[1]);
    must(l <= level + 1, 'a heading is skipped: ' + h.textContent);
    level = l;
  }
  const ids = all('[id]').map(e => e.id);
  must(new Set(ids).size === ids.length, 'an id stands twice');
  return {wrong: wrong, ids: ids, links: all('a[href]').map(a => a.href)};
})()"""

# The lowest contrast of text and its background, as defined by WCAG 2.1.
CONTRAST = r"""(() => {
  const channel = x => (x /= 255) <= 0.03928 ? x / 12.92
                                             : ((x + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) +
                     0.0722 * channel(c[2]);
  const read = s => (s.match(/[\d.]+/g) || []).map(Number);
  const solid = c => c.length === 3 || c[3] === 1;
  const ratio = (a, b) => {
    const x = light(a), y = light(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = read(getComputedStyle(e).backgroundColor);
      if (c.length && solid(c)) return c;
    }
    return [255, 255, 255];
  };
  let least = {ratio: 99};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const see = (e, color, text) => {
    const r = ratio(color, behind(e));
    if (r < least.ratio) least = {ratio: r, text: text.trim().slice(0, 40)};
  };
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || e.closest('script, style, title, desc'))
      continue;
    const drawn = e.closest('svg');
    const style = getComputedStyle(e);
    const color = read(drawn ? style.fill : style.color);
    if (!drawn || light(color) < 0.9) // white stands on a mark of a picture
      see(drawn ? drawn : e, color, walk.currentNode.data);
  }
  const root = getComputedStyle(document.documentElement);
  const probe = document.createElement('i');
  document.body.appendChild(probe);
  for (const name of ['--seen', '--link', '--best', '--soft'])
    for (const back of ['--back', '--band']) {
      probe.style.color = root.getPropertyValue(name);
      probe.style.backgroundColor = root.getPropertyValue(back);
      see(probe, read(getComputedStyle(probe).color), name + ' on ' + back);
    }
  probe.remove();
  return least;
})()"""

# Figures: the smallest letters, in pixels, and errors in their scroll boxes.
PICTURES = r"""(() => {
  let least = 99;
  const wrong = [], all = Array.from(document.querySelectorAll('figure'));
  for (const f of all) {
    const box = f.querySelector('.wide[role=region][aria-label]');
    const drawn = f.querySelector('svg, img');
    if (!box || !box.contains(drawn) || !box.getAttribute('aria-label'))
      wrong.push('a picture is in no box that has a name');
    else {
      const before = box.scrollLeft;
      box.focus();
      if (document.activeElement !== box) wrong.push('keys do not reach a box');
      box.scrollLeft = 1e6;
      const right = drawn.getBoundingClientRect().right;
      if (right > box.getBoundingClientRect().right + 1)
        wrong.push('a picture does not scroll to its end');
      box.scrollLeft = before;
    }
    for (const t of f.querySelectorAll('svg text')) {
      const m = t.getScreenCTM();
      if (t.textContent.trim())
        least = Math.min(least, parseFloat(getComputedStyle(t).fontSize) *
                                Math.hypot(m.a, m.b));
    }
  }
  return {least: least, wrong: wrong};
})()"""

COLUMN = r"""(() => {
  const t = document.querySelector('table.sort'), at = %d;
  const text = rows => Array.from(rows).map(r => r.cells[at].textContent);
  return {
    sort: Array.from(t.tHead.rows[t.tHead.rows.length - 1].cells).map(
      th => th.getAttribute('aria-sort')),
    of: text(t.tBodies[0].rows), rows: Array.from(t.tBodies[0].rows).map(
      r => r.textContent).sort(),
    others: Array.from(t.tBodies).slice(1).map(b => b.textContent),
    said: document.getElementById('status').textContent,
    at: document.activeElement.textContent};
})()"""

# Numbers in the formats of the tables, for the second column.
MIXED = r"""(() => {
  const of = ['1.18M', '900', '(2/3) 14.06', '-', '22.1K', '[-0.5, 3]', '+7'];
  Array.from(document.querySelector('table.sort').tBodies[0].rows).forEach(
    (row, i) => { row.cells[1].textContent = of[i % of.length]; });
})()"""

MANY = {"": 1, "K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12}


def number(text):
    """Returns the number that a reader sees in a text, or None."""
    found = re.match(r"(?:\(\d+/\d+\) )?\[?([-+]?[\d.]+)\s?([KkMGBT]?)", text)
    return float(found[1]) * MANY[found[2]] if found else None


class Test:
    count = failed = 0

    def ok(self, is_so, name, why=""):
        self.count += 1
        self.failed += not is_so
        print(("ok" if is_so else "not ok"), self.count, "-", name)
        if not is_so:
            for line in str(why).split("\n")[:20]:
                print("# " + line)
        sys.stdout.flush()


def pages_of(root):
    found = []
    for folder, _, names in os.walk(root):
        found += [os.path.relpath(os.path.join(folder, n), root)
                  for n in names if n.endswith(".html")]
    return sorted(found)


def url_of(root, page):
    return "file://" + urllib.parse.quote(os.path.join(root, page))


def told(events, root):
    """Returns console messages, exceptions, dialogs, and requests for
    anything except the pages."""
    found = []
    for e in events:
        method, p = e.get("method"), e.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                      "Log.entryAdded", "Page.javascriptDialogOpening",
                      "Network.loadingFailed"):
            found.append(method + " " + json.dumps(p)[:300])
        elif method == "Network.requestWillBeSent" and \
                not p["request"]["url"].startswith(
                    ("file://" + root, "data:image/png;base64,")):
            found.append("asks for " + p["request"]["url"])
    return found


def walk(b, t, root, pages):
    """Visits every page once and collects its facts and links."""
    noise, wrong, links, ids = [], [], {}, {}
    for page in pages:
        noise += [page + ": " + x
                  for x in told(b.open(url_of(root, page)), root)]
        facts = b.run(FACTS)
        wrong += [page + ": " + x for x in facts["wrong"]]
        links[page], ids[page] = facts["links"], set(facts["ids"])
    t.ok(not noise, "%d pages open without a message, and load nothing" %
         len(pages), "\n".join(noise))
    t.ok(not wrong, "landmarks, captions, scopes, names of pictures",
         "\n".join(wrong))
    lost = []
    for page in pages:
        for link in links[page]:
            to = urllib.parse.urlsplit(link)
            path = os.path.relpath(urllib.parse.unquote(to.path), root)
            at = urllib.parse.unquote(to.fragment)
            if to.scheme != "file" or path not in ids or \
                    (at and at not in ids[path]):
                lost.append(page + " -> " + link)
    t.ok(not lost, "%d links lead somewhere" % sum(map(len, links.values())),
         "\n".join(lost))
    large = [p for p in pages
             if os.path.getsize(os.path.join(root, p)) >= 1000000]
    t.ok(not large, "every page is under 1 MB", "\n".join(large))


def look(b, t, root, pages, shots):
    """Checks one page of each kind, in both schemes and two widths."""
    for scheme in ("light", "dark"):
        b.scheme(scheme)
        least, wide, letters, boxes = {"ratio": 99}, [], 99, []
        for page in pages:
            for width in (WIDE, NARROW):
                b.width(width)
                b.open(url_of(root, page))
                seen = b.run(CONTRAST)
                if seen["ratio"] < least["ratio"]:
                    least = dict(seen, page=page)
                if b.run("document.scrollingElement.scrollWidth") > width:
                    wide.append("%s at %d" % (page, width))
                pictures = b.run(PICTURES)
                letters = min(letters, pictures["least"])
                boxes += [page + ": " + x for x in pictures["wrong"]]
                if shots:
                    b.shot("%s/%s_%s_%d.png" % (
                        shots, re.sub(r"\W", "_", page[:-5]), scheme, width))
        t.ok(least["ratio"] >= 4.5, "%s: contrast is 4.5 or more (%.2f)" %
             (scheme, least["ratio"]), least)
        t.ok(not wide, scheme + ": no page is wider than its window",
             "\n".join(wide))
        t.ok(letters >= LETTERS, "%s: letters of pictures have %g pixels or "
             "more (%.1f)" % (scheme, LETTERS, letters))
        t.ok(not boxes, scheme + ": pictures scroll in boxes that keys reach",
             "\n".join(boxes))
    back = {}
    for scheme in ("light", "dark"):
        b.scheme(scheme)
        back[scheme] = b.run("getComputedStyle(document.body).backgroundColor")
    t.ok(back["light"] != back["dark"], "the schemes differ", back)
    b.width(WIDE)


def by_keys(b, t, root, page):
    """Checks navigation by keyboard alone."""
    b.open(url_of(root, page))
    b.key("Tab", 9)
    first = b.run("[document.activeElement.className, "
                  "document.activeElement.getBoundingClientRect().left >= 0]")
    t.ok(first == ["skip", True], "the first stop skips to the contents, and "
         "shows", first)
    b.key("Enter", 13, "\r")
    t.ok(b.run("document.activeElement.id || location.hash") in
         ("contents", "#contents"), "... and does")
    stops = 0
    while not b.run("!!document.activeElement.closest('table.sort th')") and \
            stops < 200:
        b.key("Tab", 9)
        stops += 1
    for _ in range(1):  # to the second column
        b.key("Tab", 9)
    b.run(MIXED)
    before = b.run(COLUMN % 1)
    ring = b.run("getComputedStyle(document.activeElement).outlineStyle")
    t.ok(ring != "none", "what has the focus shows it", ring)
    b.key("Enter", 13, "\r")
    up = b.run(COLUMN % 1)
    b.key(" ", 32, " ")
    down = b.run(COLUMN % 1)
    t.ok(before["sort"][1] == "none" and up["sort"][1] == "ascending" and
         down["sort"][1] == "descending" and
         up["sort"].count("none") == len(up["sort"]) - 1,
         "keys sort a column, and aria-sort says how",
         [before["sort"], up["sort"], down["sort"]])
    want = [x for x in map(number, before["of"]) if x is not None]
    got = [[x for x in map(number, y["of"]) if x is not None]
           for y in (up, down)]
    t.ok(len(set(want)) > 1 and got == [sorted(want),
                                        sorted(want, reverse=True)],
         "... by the numbers that it shows", [want, got])
    t.ok(up["rows"] == before["rows"] and before["others"] and
         up["others"] == before["others"],
         "... and rows stay whole, references where they are")
    t.ok("ascending" in up["said"] and "descending" in down["said"],
         "... and a status says it aloud", [up["said"], down["said"]])
    t.ok(up["at"] == before["at"], "... and the focus stays", up["at"])


# The shown claims, and what the status says.
CLAIMS = r"""(() => {
  const seen = Array.from(document.querySelectorAll('ul.claims li')).filter(
    e => e.getClientRects().length);
  return {
    n: seen.length, verdicts: Array.from(new Set(
      seen.map(e => e.dataset.verdict))),
    headings: Array.from(document.querySelectorAll('section')).filter(
      e => e.querySelector('ul.claims') && !e.querySelector(
        'ul.claims li:not([hidden])') && e.getClientRects().length).length,
    pressed: document.activeElement.getAttribute('aria-pressed'),
    count: parseInt(document.activeElement.textContent.replace(/^\D+/, '')),
    said: document.getElementById('status').textContent};
})()"""


def claims(b, t, root):
    """Checks the filter of claims, by keyboard, and the narrow layout."""
    b.open(url_of(root, "claims.html"))
    everything = b.run(CLAIMS)
    b.run("document.querySelector('.filter button').focus()")
    b.key("Enter", 13, "\r")
    some = b.run(CLAIMS)
    t.ok(some["pressed"] == "true" and some["n"] == some["count"] and
         some["verdicts"] == ["holds"] and not some["headings"] and
         str(some["n"]) in some["said"],
         "a verdict filters the claims, by keyboard, and a status says so",
         some)
    b.key("Enter", 13, "\r")
    t.ok(b.run(CLAIMS)["n"] == everything["n"] > some["n"],
         "... and again shows all")
    b.width(NARROW)
    b.open(url_of(root, "claims.html"))
    t.ok(b.run("!document.querySelector('main table') && Array.from("
               "document.querySelectorAll('ul.claims .text')).every("
               "e => e.getBoundingClientRect().right <= %d)" % NARROW),
         "... which fit a narrow window")
    b.width(WIDE)


def hints(b, t, root, page):
    """Checks that boxes which scroll say so, and no others."""
    hint = ("Array.from(document.querySelectorAll('.wide')).map(e => ["
            "e.scrollWidth > e.clientWidth + 1, getComputedStyle(e, "
            "'::before').content.includes('scroll')])")
    b.width(NARROW)
    b.open(url_of(root, page))
    narrow = b.run(hint)
    b.width(WIDE)
    b.open(url_of(root, page))
    wide = b.run(hint)
    t.ok([True, True] in narrow and [False, False] in wide and
         all(x == y for x, y in narrow + wide),
         "a box that scrolls sideways says so", [narrow, wide])


def foreign_script(b, t, root, page, work):
    """Checks that an injected script does not run."""
    with open(os.path.join(root, page), encoding="utf-8") as f:
        text = f.read()
    bad = os.path.join(work, "bad.html")
    with open(bad, "w", encoding="utf-8") as f:
        f.write(text.replace("</main>", "<script>document.title = 'run'"
                             "</script><b id='x' onclick='document.title = "
                             "\"run\"'>x</b></main>"))
    events = b.open(url_of(work, "bad.html"))
    b.run("document.getElementById('x').click()")
    t.ok(b.run("document.title") != "run" and
         any(e.get("method") == "Log.entryAdded" for e in events),
         "a script that is not ours does not run")


def plain(b, t, root, page):
    b.call("Emulation.setScriptExecutionDisabled", value=True)
    b.open(url_of(root, page))
    b.call("Emulation.setScriptExecutionDisabled", value=False)
    t.ok(b.run("document.querySelectorAll('tbody td').length > 9 && "
               "!document.querySelector('th button')"),
         "without scripts a table is a table")


def main(root, program):
    root, work = os.path.realpath(root), tempfile.mkdtemp()
    shots = os.environ.get("SHOTS")
    pages, t = pages_of(root), Test()
    kinds = {}
    for page in pages:
        kinds.setdefault(os.path.dirname(page) or page, page)
    table = next(p for p in pages if re.match("table/[^1]", p))
    first = "index.html"
    b = Browser(program, os.path.join(work, "home"))
    try:
        b.width(WIDE)
        walk(b, t, root, pages)
        look(b, t, root, sorted(set(kinds.values()) | {table, first}), shots)
        by_keys(b, t, root, table)
        claims(b, t, root)
        hints(b, t, root, table)
        foreign_script(b, t, root, table, work)
        plain(b, t, root, table)
    finally:
        b.close()
        shutil.rmtree(work, ignore_errors=True)
    print("1..%d" % t.count)
    return t.failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
