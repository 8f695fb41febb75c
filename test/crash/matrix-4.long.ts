/** A quarter of the whole crash matrix. */
import { quarterOfMatrix } from './whole-matrix.ts';

quarterOfMatrix(4);
