import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Hex } from '@firn/codec'
import { ContractAbi } from '@firn/evm'
import { EvmAddress } from '@firn/keys'
import type { Logger } from '@firn/runtime'
import { LRUCache } from 'lru-cache'
import { DataApiError } from '../http/endpoint/DataApiError.ts'

/** How well the source of a contract matches its code, as Sourcify says. */
export type Match = 'exact' | 'partial'

/** The ABI of a contract whose source was verified. */
export interface VerifiedAbi {
  readonly match: Match
  readonly abi: ContractAbi.ContractAbi
  /** Name of the contract in its source, if the metadata tell it. */
  readonly name: string | undefined
}

/** A folder of contracts in the format of Sourcify. */
export interface AbiFolder {
  /** Returns the ABI of a contract; undefined if the folder has none that can be used. */
  find(chainId: bigint, address: Uint8Array): Promise<VerifiedAbi | undefined>
}

/** Options of {@link openAbiFolder}. */
export interface AbiFolderOptions {
  readonly path: string
  /** Returns the current time in milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'warn'>
}

const MATCHES = [
  ['exact', 'full_match'],
  ['partial', 'partial_match'],
] as const satisfies readonly (readonly [Match, string])[]

/** Maximum size of a file in bytes. */
const MAX_BYTES = 4 << 20
/** Size of the ABIs in memory, as the number of parameters, and the number of contracts with or without one. */
const MAX_SIZE = 200_000
const MAX_CONTRACTS = 20_000
/** Time in milliseconds after which a file is examined for changes. */
const LOOK_MS = 1_000

/** The ABI of a contract, and how it was found. */
interface Entry {
  readonly lookedAt: number
  /** Text that changes with the file. */
  readonly version: string
  readonly found: VerifiedAbi | undefined
}

/**
 * Opens a folder with `full_match/<chain id>/<address>/metadata.json` and `partial_match/…`. Files are read when a
 * contract is first asked for, and again after they change. A file that cannot be used is logged once and counts as
 * missing.
 * @throws DataApiError `DATA_CONFIGURATION` if there is no such folder
 */
export async function openAbiFolder({ path, now, log }: AbiFolderOptions): Promise<AbiFolder> {
  const root = await realpath(path).catch((cause: Error) => {
    throw new DataApiError('DATA_CONFIGURATION', `--abis: ${cause.message}`, { cause })
  })
  if (!(await stat(root)).isDirectory())
    throw new DataApiError('DATA_CONFIGURATION', `--abis: ${path} is not a folder`)
  const entries = new LRUCache<string, Entry>({
    max: MAX_CONTRACTS,
    maxSize: MAX_SIZE,
    sizeCalculation: ({ found }) => 1 + (found?.abi.size ?? 0),
  })
  const reads = new Map<string, Promise<VerifiedAbi | undefined>>()
  // Files are parsed one after the other, so that few are in memory at the same time.
  let last: Promise<unknown> = Promise.resolve()
  const readIn = (file: string, match: Match): Promise<VerifiedAbi | undefined> => {
    const reading = last.then(async () => {
      try {
        return await readMetadata(root, file, match)
      } catch (error) {
        log.warn(
          { file, reason: (error as Error).message },
          'ABI not usable, the contract counts as not verified',
        )
        return undefined
      }
    })
    last = reading
    return reading
  }
  const look = async (key: string, chainId: bigint, address: Uint8Array) => {
    const known = entries.get(key)
    const place = await placeOf(root, chainId, address)
    const version = place?.version ?? ''
    const isSame = known !== undefined && known.version === version
    const found = isSame ? known.found : place && (await readIn(place.file, place.match))
    entries.set(key, { lookedAt: now(), version, found })
    return found
  }
  return {
    find: (chainId, address) => {
      const key = `${chainId}/${Hex.encodeBare(address)}`
      const known = entries.get(key)
      if (known !== undefined && now() - known.lookedAt < LOOK_MS) return Promise.resolve(known.found)
      const reading = reads.get(key) ?? look(key, chainId, address).finally(() => reads.delete(key))
      reads.set(key, reading)
      return reading
    },
  }
}

/** Returns the file of a contract, of the best match. Addresses are written with a checksum, or in lower case. */
async function placeOf(root: string, chainId: bigint, address: Uint8Array) {
  for (const [match, folder] of MATCHES) {
    for (const name of [EvmAddress.format(address), Hex.encode(address)]) {
      const file = join(root, folder, String(chainId), name, 'metadata.json')
      const found = await stat(file, { bigint: true }).catch(() => undefined)
      if (found !== undefined) {
        const { ino, size, mtimeNs } = found
        return { match, file, version: `${file} ${ino} ${size} ${mtimeNs}` }
      }
    }
  }
  return undefined
}

async function readMetadata(root: string, file: string, match: Match): Promise<VerifiedAbi> {
  const real = await realpath(file)
  if (!real.startsWith(root + sep)) throw unusable(`the file is outside the folder, at ${real}`)
  // A named pipe would otherwise wait for a writer.
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw unusable('expected a file')
    if (found.size > MAX_BYTES) throw unusable(`expected at most ${MAX_BYTES} bytes, got ${found.size}`)
    const json = JSON.parse(await handle.readFile('utf8')) as Metadata | null
    return { match, abi: ContractAbi.parse(json?.output?.abi), name: nameOf(json) }
  } finally {
    await handle.close()
  }
}

/** The parts of the compiler's metadata that are used. All may be wrong. */
interface Metadata {
  readonly output?: { readonly abi?: unknown } | null
  readonly settings?: { readonly compilationTarget?: unknown } | null
}

function nameOf(json: Metadata | null): string | undefined {
  const [name] = Object.values(Object(json?.settings?.compilationTarget) as object) as readonly unknown[]
  return typeof name === 'string' && /^[A-Za-z_$][\w$]{0,127}$/.test(name) ? name : undefined
}

function unusable(message: string): DataApiError {
  return new DataApiError('DATA_CONFIGURATION', message)
}
