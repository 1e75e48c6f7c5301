import { Hex, Id, Json } from '@firn/codec'
import { ProofBundle, Quorum, SignedMessage } from '@firn/warp'
import { ConsoleError } from '../ConsoleError.ts'

/** A signed message with the validator set that verifies it, as the text of a JSON file. */
export type Bundle = string

/** The result of a verification in this browser. */
export interface Verdict {
  readonly isValid: boolean
  /** Why the message is not valid. */
  readonly reason?: string
  readonly networkId: number
  readonly signingSubnetId: string
  readonly pChainHeight: bigint
  readonly signedWeight: bigint | undefined
  readonly totalWeight: bigint
  readonly signers: number | undefined
  readonly validators: number
  /** SHA-256 hash of the validator set, in hex. */
  readonly hash: string
}

/** Largest bundle that fits into a link, in characters of the link. */
const MOST_LINK_CHARACTERS = 24_000
/** Largest bundle of a link after it is unpacked, in bytes. */
const MOST_BYTES = 8 << 20

/** Returns a bundle. */
export function create(signedMessage: string, proof: unknown): Bundle {
  return JSON.stringify({ signedMessage, proof }, null, 2)
}

/**
 * Verifies the signed message of a bundle with its validator set.
 * @throws ConsoleError `CONSOLE_INPUT` if the text is not a bundle
 */
export function verify(bundle: Bundle, quorumPercentage: number): Verdict {
  const { message, proof } = read(bundle)
  const result = ProofBundle.verify(proof, message, Quorum.percent(quorumPercentage))
  return {
    isValid: result.ok,
    ...(result.ok ? {} : { reason: result.reason }),
    networkId: proof.networkId,
    signingSubnetId: Id.format(proof.signingSubnetId),
    pChainHeight: proof.pChainHeight,
    signedWeight: result.ok ? result.signedWeight : undefined,
    totalWeight: proof.totalWeight,
    signers: result.ok ? result.signers.length : undefined,
    validators: proof.validators.length,
    hash: Hex.encode(proof.hash),
  }
}

function read(bundle: Bundle) {
  try {
    const { signedMessage, proof } = Json.parse(bundle) as Readonly<Record<string, Json.Json>>
    const message = SignedMessage.decode(Hex.decodeAny(String(signedMessage)))
    return { message, proof: ProofBundle.fromJSON(proof ?? null) }
  } catch (cause) {
    const text = `This is not a proof bundle: ${(cause as Error).message}`
    throw new ConsoleError('CONSOLE_INPUT', text, { cause })
  }
}

/** Packs a bundle for a link. Returns undefined if it is too large for one. */
export async function pack(bundle: Bundle): Promise<string | undefined> {
  const compact = JSON.stringify(JSON.parse(bundle))
  const packed = await bytesOf(new Blob([compact]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
  const safe = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return safe.length > MOST_LINK_CHARACTERS ? undefined : safe
}

/** Returns the bundle of a link. @throws ConsoleError `CONSOLE_INPUT` */
export async function unpack(packed: string): Promise<Bundle> {
  try {
    const text = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    const bundle = new TextDecoder('utf-8', { fatal: true }).decode(await bytesOf(stream))
    return JSON.stringify(JSON.parse(bundle), null, 2)
  } catch (cause) {
    throw new ConsoleError('CONSOLE_INPUT', 'The link is incomplete. Copy all of it.', { cause })
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
    if (size > MOST_BYTES) throw new ConsoleError('CONSOLE_INPUT', 'The bundle of the link is too large.')
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
