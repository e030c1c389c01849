"""
The trees of the main content finder, from labelled pages.

    pip install lightgbm numpy rapidfuzz
    node bench/mainContent/dump.ts FOLDER ... DUMP
    python3 bench/mainContent/train.py DUMP [--write src/page/content/contentTrees.ts]

The table of the product is from truth/wcxb-dev, truth/news-dev:Latin and the manuals-dev that `manuals.ts` labels, in this order.

Prints, by five-fold cross-validation by site, the mean F1 of the words of what is kept against the words of the truth, by
set and kind of page; with --write it then trains on all pages and writes the table that the product reads. Everything is drawn
with one seed, so that the same pages give the same table.
"""
import argparse
import base64
import json
import os
import struct
import zlib
from collections import Counter
from urllib.parse import urlparse

import lightgbm as lgb
import numpy as np
from rapidfuzz.distance import LCSseq

KINDS = ["article", "forum", "product", "collection", "listing", "documentation", "service"]
FOLDS = 5
# As in chooseBlocks.ts.
FLOOR = 0.15
OWN = 0.25
# As in blockFeatures.ts.
FAR = 40
BLOCKS = dict(
    objective="cross_entropy", learning_rate=0.12, num_leaves=24, min_data_in_leaf=60, feature_fraction=0.25,
    bagging_fraction=0.7, bagging_freq=1, lambda_l2=10, max_bin=63,
)
BLOCK_TREES = 120
PAGES = dict(
    objective="multiclass", num_class=len(KINDS), learning_rate=0.08, num_leaves=7, min_data_in_leaf=10,
    feature_fraction=0.5, bagging_fraction=0.8, bagging_freq=1, lambda_l2=1,
)
PAGE_TREES = 80
COMMON = dict(verbose=-1, seed=1, deterministic=True, force_row_wise=True, num_threads=int(os.environ.get("THREADS", "1")))


def labels(blocks, truth):
    """How much of each block is in the truth: by the longest common subsequence of words, then by four words in a row."""
    vocabulary = {}
    number = lambda word: vocabulary.setdefault(word, len(vocabulary))
    page = [[number(word) for word in block] for block in blocks]
    text = [number(word) for word in truth]
    flat = [word for block in page for word in block]
    owner = np.repeat(np.arange(len(page)), [len(block) for block in page]) if page else np.array([], int)
    hits = np.zeros(len(page))
    if flat and text:
        for step in LCSseq.opcodes(flat, text):
            if step.tag == "equal":
                np.add.at(hits, owner[step.src_start : step.src_end], 1)
    left = Counter(tuple(text[i : i + 4]) for i in range(len(text) - 3))
    said = np.zeros(len(page))
    later = []
    for i, block in enumerate(page):
        if not block:
            continue
        share = hits[i] / len(block)
        grams = [tuple(block[j : j + 4]) for j in range(len(block) - 3)]
        # Words that only happen to stand in the truth in this order are no content.
        if share >= 0.6 and (len(block) < 4 or sum(gram in left for gram in grams) >= 0.3 * len(grams)):
            said[i] = share
            left.subtract(gram for gram in grams if gram in left)
        else:
            later.append((i, grams, share))
    # What stands elsewhere in the truth than on the page, each time that the truth has it.
    for i, grams, share in later:
        if len(grams) >= 2:
            found = sum(left.get(gram, 0) > 0 for gram in grams) / len(grams)
            said[i] = found if found > 0.15 else 0
            if found > 0.5:
                left.subtract(gram for gram in grams if gram in left)
        elif share < 0.6:
            said[i] = share
    return said


def chosen(probabilities, sizes, ways, hidden, comments):
    """The blocks that are expected to agree best with the truth (chooseBlocks.ts does the same)."""
    if len(probabilities) == 0:
        return probabilities > 1
    weights = sizes + 0.5
    _, way, counts = np.unique(ways, return_inverse=True, return_counts=True)
    mean = np.bincount(way, probabilities * weights) / np.bincount(way, weights)
    said = np.where(counts[way] < 3, probabilities, OWN * probabilities + (1 - OWN) * mean[way])
    order = np.argsort(-said, kind="stable")
    expected = said * sizes
    f1 = 2 * np.cumsum(expected[order]) / np.maximum(np.cumsum(sizes[order]) + expected.sum(), 1e-9)
    kept = said >= max(said[order][f1.argmax()], FLOOR)
    shown = kept & ~hidden
    kept = shown if sizes[kept & hidden].sum() <= sizes[shown].sum() else kept
    return kept & ~comments if 2 * sizes[kept & comments].sum() < sizes[kept].sum() else kept


def agreement(kept, truth):
    common = sum((kept & truth).values())
    precision = common / max(1, sum(kept.values()))
    recall = common / max(1, sum(truth.values()))
    if not truth and not kept:
        return 1.0, 1.0, 1.0
    return (2 * precision * recall / (precision + recall) if common else 0.0), precision, recall


def table(model, groups):
    """A model as Trees.ts reads it."""
    features, thresholds, lefts, rights, values, node_starts, leaf_starts = [], [], [], [], [], [], []
    for tree in model.dump_model()["tree_info"]:
        node_starts.append(len(features))
        leaf_starts.append(len(values))
        first, first_leaf = len(features), len(values)

        def visit(node):
            if "split_feature" not in node:
                values.append(node["leaf_value"])
                return first_leaf - len(values)
            at = len(features)
            assert node["decision_type"] == "<="
            features.append(node["split_feature"])
            thresholds.append(node["threshold"])
            lefts.append(0)
            rights.append(0)
            lefts[at] = visit(node["left_child"])
            rights[at] = visit(node["right_child"])
            return at - first

        if visit(tree["tree_structure"]) < 0:
            # A tree that is one leaf: a node that leads there both ways.
            features.append(0)
            thresholds.append(0.0)
            lefts.append(-1)
            rights.append(-1)
    size = len(features)
    data = struct.pack("<4I", groups, len(node_starts), size, len(values))
    data += struct.pack(f"<{len(node_starts)}I", *node_starts) + struct.pack(f"<{len(leaf_starts)}I", *leaf_starts)
    data += struct.pack(f"<{len(values)}f", *values) + struct.pack(f"<{size}f", *thresholds)
    data += struct.pack(f"<{size}H", *features) + struct.pack(f"<{size}h", *lefts) + struct.pack(f"<{size}h", *rights)
    return base64.b64encode(data).decode()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("dump")
    arguments.add_argument("--write")
    arguments.add_argument("--no-folds", action="store_true", help="train only: no figures")
    asked = arguments.parse_args()
    path = lambda name: os.path.join(asked.dump, name)
    names = json.load(open(path("names.json")))
    X = np.fromfile(path("rows.f64")).reshape(-1, len(names["blocks"])).astype(np.float32)
    P = np.fromfile(path("pages.f64")).reshape(-1, len(names["pages"])).astype(np.float32)
    pages = [json.loads(line) for line in open(path("blocks.jsonl"))]
    texts = [page["blocks"] for page in pages]
    truths = [page["truth"] for page in pages]
    sizes = np.array([len(page) for page in texts])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    of_page = np.repeat(np.arange(len(pages)), sizes)
    y = np.clip(np.concatenate([labels(blocks, truth) for blocks, truth in zip(texts, truths)]), 0, 1)
    sets = np.array([page["set"] for page in pages])
    # As in Counts.ts: the same in every script.
    n = X[:, names["blocks"].index("words")].astype(float)
    kinds = np.array([KINDS.index(page["kind"]) if page["kind"] in KINDS else 0 for page in pages])
    # A block weighs what its words are of the page's true ones, so that long pages do not drown short ones.
    weight = np.minimum(n, 400) / np.maximum(50, np.bincount(of_page, y * n, len(pages))[of_page]) + 1e-6
    sites = [".".join((urlparse(page["url"]).hostname or page["name"]).split(".")[-2:]) for page in pages]
    # The fold of a site does not depend on the other pages.
    fold = np.array([zlib.crc32(site.encode()) % FOLDS for site in sites])

    def train_kinds(which):
        return lgb.train({**PAGES, **COMMON}, lgb.Dataset(P[which], kinds[which]), PAGE_TREES)

    # The kinds that blocks are weighed with come from models that did not see their site.
    kind_of = np.zeros((len(pages), len(KINDS)))
    for f in range(FOLDS):
        kind_of[fold == f] = train_kinds(fold != f).predict(P[fold == f])
    rows = np.hstack([X, P[of_page], kind_of[of_page]]).astype(np.float32)
    whole = lgb.Dataset(rows, y, weight=weight, params={**COMMON, "max_bin": BLOCKS["max_bin"]}, free_raw_data=False).construct()
    predicted = np.zeros(len(rows))
    for f in range(0 if asked.no_folds else FOLDS):
        seen = fold[of_page] != f
        model = lgb.train({**BLOCKS, **COMMON}, whole.subset(np.where(seen)[0]), BLOCK_TREES)
        predicted[~seen] = model.predict(rows[~seen], num_threads=COMMON["num_threads"])

    hidden = X[:, names["blocks"].index("veil")] > 0
    named = X[:, names["blocks"].index("hint comments")] < FAR
    comments = named & (kind_of.argmax(1) != KINDS.index("forum"))[of_page]

    def report(label, keep):
        scores = []
        for i in range(len(pages)):
            kept = Counter()
            for block, is_kept in zip(texts[i], keep(i)):
                if is_kept:
                    kept.update(block)
            scores.append(agreement(kept, Counter(truths[i])))
        scores = np.array(scores)
        for name in sorted(set(sets)):
            f1, precision, recall = scores[sets == name].mean(0)
            of_kind = [(kind, scores[(sets == name) & (kinds == j), 0]) for j, kind in enumerate(KINDS)]
            by_kind = "  ".join(f"{kind} {values.mean():.3f}" for kind, values in of_kind if len(values))
            print(f"{name:12s} {label:28s} F1 {f1:.4f}  P {precision:.4f}  R {recall:.4f}  {by_kind}")
        return scores[:, 0]

    part = lambda values, i: values[starts[i] : starts[i + 1]]
    print(f"{len(pages)} pages of {len(set(sites))} sites, {len(rows)} blocks, {FOLDS} folds by site")
    if not asked.no_folds:
        print(f"kind of page right: {(kind_of.argmax(1) == kinds).mean():.3f}")
        report("the best choice of blocks", lambda i: part(y, i) >= 0.5)
        scores = report("learned choice", lambda i: chosen(part(predicted, i), part(n, i), np.array(pages[i]["ways"], int), part(hidden, i), part(comments, i)))
        print("the worst ten:")
        for i in np.argsort(scores, kind="stable")[:10]:
            print(f"  {scores[i]:.3f} {pages[i]['name']} {pages[i]['kind']} {pages[i]['url']}")

    if asked.write:
        everything = np.ones(len(pages), bool)
        page_table = table(train_kinds(everything), len(KINDS))
        block_table = table(lgb.train({**BLOCKS, **COMMON}, whole, BLOCK_TREES), 1)
        with open(asked.write, "w") as out:
            out.write("/** The trees of the main content finder, in the format of `Trees.ts`. `bench/mainContent/train.py` writes this file. */\n")
            out.write(f'export const pageTrees =\n  "{page_table}"\n')
            out.write(f'export const blockTrees =\n  "{block_table}"\n')
        print(f"{asked.write}: {len(page_table) + len(block_table)} bytes")


main()
