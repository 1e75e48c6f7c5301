import { ConformanceError } from '../ConformanceError.ts'
import type { Face, FaceOptions } from './Face.ts'

/** Starts this project's node face on an archive's store, at the heights and the time that are asked for. */
export async function startFace(_options: FaceOptions): Promise<Face> {
  throw new ConformanceError('CONFORMANCE_FOLDER', 'expected a node face, which this version has none of')
}
