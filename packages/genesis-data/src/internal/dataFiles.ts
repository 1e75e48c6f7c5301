import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { GenesisDataError } from '../GenesisDataError.ts'

/** A compressed file in the `data` folder. */
export interface DataFile {
  readonly name: string
  /** SHA-256 of the JSON file as avalanchego publishes it. */
  readonly sha256: string
}

/** The source of the data files. */
export interface ReadOptions {
  /** Reads a file of the `data` folder by its name. By default, files are read from this package. */
  readonly read?: (name: string) => Promise<Uint8Array>
}

const DATA = new URL('../../data/', import.meta.url)

/**
 * Returns the decompressed JSON of a data file, checked against its SHA-256.
 * @throws GenesisDataError `GENESIS_DATA_DAMAGED`
 */
export async function readJson({ name, sha256 }: DataFile, options: ReadOptions): Promise<string> {
  const { read = (file) => readFile(new URL(file, DATA)) } = options
  const json = await read(name)
    .then((bytes) => promisify(brotliDecompress)(bytes))
    .catch((cause: unknown) => {
      throw damaged(
        `cannot read ${name}: ${cause instanceof Error ? cause.message : String(cause)}`,
        {},
        cause,
      )
    })
  const actual = createHash('sha256').update(json).digest('hex')
  if (actual === sha256) return json.toString('utf8')
  throw damaged(`expected ${name} with SHA-256 ${sha256}, got ${actual}`, { expected: sha256, actual })
}

function damaged(message: string, details: Record<string, string>, cause?: unknown): GenesisDataError {
  return new GenesisDataError('GENESIS_DATA_DAMAGED', `${message}. Install @firn/genesis-data again.`, {
    details,
    cause,
  })
}
