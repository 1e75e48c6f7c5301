import { readFile } from 'node:fs/promises'
import { Json } from '@firn/codec'
import type { RawCase } from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'

/**
 * Reads the records of a file with one record per line.
 * @throws ConformanceError `CONFORMANCE_FOLDER`
 */
export async function readLines(path: string): Promise<RawCase[]> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n')
    return lines.filter((line) => line !== '').map((line) => Json.parse(line) as RawCase)
  } catch (cause) {
    throw new ConformanceError('CONFORMANCE_FOLDER', `${path} must contain one JSON value per line`, {
      cause,
    })
  }
}
