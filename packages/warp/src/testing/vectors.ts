import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Loads `vectors/<file>.json.gz` of this package. For tests only. */
export function load<T>(file: string): readonly T[] {
  const text = gunzipSync(readFileSync(new URL(`../../vectors/${file}.json.gz`, import.meta.url))).toString()
  return JSON.parse(text) as readonly T[]
}

/** The fields of every golden case. */
export interface Case {
  readonly name: string
  readonly kind: string
}

/** A signed message recorded from an aggregator, and the validator set that it was verified against. */
export interface Recording {
  readonly name: string
  readonly signedMessage: string
  readonly justification?: string
  readonly validatorSet: {
    readonly subnetID: string
    readonly pChainHeight: number
    readonly messageID: string
    readonly unsigned: string
    readonly totalWeight: string
    readonly validators: readonly {
      readonly publicKeyCompressed: string
      readonly publicKeyUncompressed: string
      readonly weight: string
      readonly nodeIDs: readonly string[]
    }[]
    readonly signature: {
      readonly signerIndices: readonly number[]
      readonly signers: string
      readonly signature: string
    }
    readonly verify1: string
    readonly verify67: string
    readonly verify80: string
    readonly verify100: string
  }
}

/** Returns the recorded signed messages. */
export const recordings = (): readonly Recording[] => load('recordings')

/** Returns the golden cases of one kind. */
export function cases<T>(kind: string): readonly (Case & T)[] {
  const found = load<Case & T>('warp').filter((item) => item.kind === kind)
  if (found.length === 0) throw new RangeError(`no golden cases of kind ${kind}`)
  return found
}

/** A mutation of an encoded structure, and the reference's result of decoding it. */
export interface DecodeCase extends Case {
  readonly type: string
  readonly bytes: string
  readonly ok: boolean
  readonly error?: string
}

/** Returns the mutations of one structure. */
export function mutations(type: string): readonly DecodeCase[] {
  return cases<DecodeCase>('decode').filter((item) => item.type === type)
}

/**
 * Returns the code of the error that `work` throws, its text if it has no code, or undefined if `work` does not
 * throw.
 */
export function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error)
  }
}

/** Returns this package's code for an error of the reference's decoder. */
export function codeForDecodeError(error: string): string {
  const table: readonly (readonly [RegExp, string])[] = [
    [/trailing buffer space/, 'CODEC_TRAILING'],
    [/unknown codec version/, 'CODEC_VERSION'],
    [/unknown type ID/, 'CODEC_TYPE_ID'],
    [/exceeds maximum length/, 'CODEC_SIZE'],
    [/unexpected value when unpacking bool/, 'CODEC_VALUE'],
    [/insufficient length|couldn't unpack codec version/, 'CODEC_TRUNCATED'],
  ]
  const found = table.find(([pattern]) => pattern.test(error))
  if (found === undefined) throw new RangeError(`no code is mapped to the reference's error: ${error}`)
  return found[1]
}
