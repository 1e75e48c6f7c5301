import { Bytes, CHAIN_ALIASES, type ChainAlias, Hex, isFirnError, Json } from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey, Signature } from '@firn/keys'
import { SnapshotFile } from '@firn/store'
import { CliError } from './CliError.ts'

/** A published snapshot. */
export interface Entry {
  /** URL of the file, absolute or relative to the list's own. */
  readonly url: string
  readonly networkId: number
  /** Version of the file format. */
  readonly format: number
  /** Height of each chain's last block. */
  readonly heights: Readonly<Record<ChainAlias, bigint>>
  /** The P-chain's time, in Unix seconds. */
  readonly time: bigint
  /** Size of the file in bytes. */
  readonly size: number
  /** SHA-256 of the file, 32 bytes. */
  readonly sha256: Uint8Array
  /** Digest of the state, 32 bytes, as `firn doctor` prints it. */
  readonly digest: Uint8Array
}

/** Precedes the list in what is signed, so that the signature is not valid for anything else. */
const PREFIX = 'Firn snapshots\n'
const LARGEST = 10_000

/**
 * Returns the text of a signed list: JSON with the entries as a text, and the signature of this text.
 */
export const sign = (entries: readonly Entry[], privateKey: Uint8Array): string => {
  const list = JSON.stringify(entries.map(toJson))
  const signature = Hex.encode(Signature.signMessage(messageOf(list), privateKey))
  return `${JSON.stringify({ publisher: publisherOf(privateKey), signature, list }, null, 2)}\n`
}

/** Returns the EVM address of a private key, which names a publisher. */
export const publisherOf = (privateKey: Uint8Array): string =>
  EvmAddress.format(PublicKey.evmAddress(PrivateKey.publicKey(privateKey)))

/**
 * Returns the entries of a list that `publisher` (20 bytes) has signed.
 * @throws CliError `CLI_INPUT` if the text is not a signed list, or another key has signed it
 */
export const parse = (text: string, publisher: Uint8Array): readonly Entry[] => {
  const { list, signature } = envelopeOf(text)
  const signer = signerOf(list, signature)
  if (!Bytes.equals(signer, publisher)) {
    const [expected, actual] = [EvmAddress.format(publisher), EvmAddress.format(signer)]
    throw new CliError('CLI_INPUT', `the list is signed by ${actual}, expected ${expected}`)
  }
  const entries = parseJson(list)
  if (!Array.isArray(entries) || entries.length > LARGEST) throw malformed('its entries cannot be read')
  return entries.map(fromJson)
}

/**
 * Returns the entry of a network with the largest P-chain height, among those that this version can read.
 * @throws CliError `CLI_INPUT` if there is none
 */
export const newest = (entries: readonly Entry[], networkId: number): Entry => {
  const ofNetwork = entries.filter((entry) => entry.networkId === networkId)
  const [found] = ofNetwork
    .filter(({ format }) => format === SnapshotFile.FORMAT)
    .sort((a, b) => (a.heights.P < b.heights.P ? 1 : -1))
  if (found !== undefined) return found
  const formats = [...new Set(ofNetwork.map(({ format }) => format))].join(', ')
  const message =
    ofNetwork.length === 0
      ? `the list has no snapshot of network ${networkId}`
      : `this version reads snapshots of format ${SnapshotFile.FORMAT}, the list has format ${formats}`
  throw new CliError('CLI_INPUT', message)
}

const messageOf = (list: string) => new TextEncoder().encode(PREFIX + list)

const malformed = (reason: string, cause?: unknown) =>
  new CliError('CLI_INPUT', `the list of snapshots is malformed: ${reason}`, { cause })

const parseJson = (text: string): unknown => {
  try {
    return Json.parse(text)
  } catch (cause) {
    throw malformed('it is not JSON', cause)
  }
}

const envelopeOf = (text: string): { readonly list: string; readonly signature: string } => {
  const { list, signature } = Object(parseJson(text)) as Record<string, unknown>
  if (typeof list !== 'string' || typeof signature !== 'string')
    throw malformed('expected the members "list" and "signature"')
  return { list, signature }
}

const signerOf = (list: string, signature: string): Uint8Array => {
  try {
    return PublicKey.evmAddress(Signature.recoverMessage(messageOf(list), Hex.decode(signature)))
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw malformed(`its signature cannot be read: ${cause.message}`, cause)
  }
}

const toJson = ({ heights: { P, X, C }, time, sha256, digest, ...entry }: Entry) => ({
  ...entry,
  heights: { P: String(P), X: String(X), C: String(C) },
  time: String(time),
  sha256: Hex.encode(sha256),
  digest: Hex.encode(digest),
})

const fromJson = (json: unknown): Entry => {
  const entry = Object(json) as Record<string, unknown>
  const text = (name: string, from = entry): string => {
    const value = from[name]
    if (typeof value === 'string') return value
    throw malformed(`expected a text in "${name}", got ${JSON.stringify(value)}`)
  }
  const count = (name: string): number => {
    const value = Number(entry[name])
    if (Number.isSafeInteger(value) && value >= 0) return value
    throw malformed(`expected a number in "${name}", got ${JSON.stringify(entry[name])}`)
  }
  const big = (name: string, from = entry): bigint => {
    const digits = text(name, from)
    if (/^\d{1,20}$/.test(digits)) return BigInt(digits)
    throw malformed(`expected a decimal number in "${name}", got ${JSON.stringify(digits)}`)
  }
  const hash = (name: string): Uint8Array => {
    const hex = text(name)
    if (/^0x[0-9a-f]{64}$/i.test(hex)) return Hex.decode(hex)
    throw malformed(`expected 32 bytes in hex in "${name}", got ${JSON.stringify(hex)}`)
  }
  const heights = Object(entry['heights']) as Record<string, unknown>
  const [P, X, C] = CHAIN_ALIASES.map((chain) => big(chain, heights)) as [bigint, bigint, bigint]
  return {
    url: text('url'),
    networkId: count('networkId'),
    format: count('format'),
    heights: { P, X, C },
    time: big('time'),
    size: count('size'),
    sha256: hash('sha256'),
    digest: hash('digest'),
  }
}
