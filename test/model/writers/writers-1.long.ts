/** A half of the 3,000 sequences of which writers.test.ts runs the first. */
import { playMany } from './many.ts';

playMany({ worlds: 25, from: 100 });
