/** Prints a tree as JSON: `node tree-main.js DIR [OPTIONS as JSON]`. Run inside the view, where the test process may not go. */
import { writeSync } from 'node:fs';
import { readTree, type TreeOptions } from './tree.ts';

const [dir = '.', options = '{}'] = process.argv.slice(2);
const json = Buffer.from(JSON.stringify(readTree(dir, JSON.parse(options) as TreeOptions)));
for (let at = 0; at < json.length; ) at += writeSync(1, json, at);
