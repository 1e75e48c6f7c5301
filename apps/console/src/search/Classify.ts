import { Bech32, Cb58, NodeId } from '@firn/codec'

/** Kinds of texts that the search understands. */
export type Kind = 'height' | 'nodeId' | 'address' | 'evmAddress' | 'id' | 'hash' | 'warpMessage' | 'unknown'

/** What a text is. */
export interface Classified {
  readonly kind: Kind
  /** What the text is, for people. */
  readonly title: string
  /** The text in the form in which it is looked up: trimmed, hexadecimal in small letters. */
  readonly text: string
}

const MESSAGE_BYTES = { min: 2 + 4 + 32 + 4, max: 256 * 1024 }

/** Returns what a text is, from its form alone. */
export function classify(input: string): Classified {
  const text = input.trim()
  if (/^[\d,_ ]*\d$/.test(text) && text.length <= 24) {
    return { kind: 'height', title: 'Height of a block', text: text.replace(/[,_ ]/g, '') }
  }
  if (/^nodeid-/i.test(text)) return nodeId(text)
  if (/^([PXC]-)?[a-z]{1,20}1[02-9ac-hj-np-z]{38}$/.test(text)) return address(text)
  if (/^(0x)?[0-9a-f]+$/i.test(text) && text.replace(/^0x/i, '').length >= 40) return hex(text)
  return cb58(text)
}

const unknown = (title: string, text: string): Classified => ({ kind: 'unknown', title, text })

function nodeId(input: string): Classified {
  const text = input.replace(/^nodeid-/i, 'NodeID-')
  return attempt(() => NodeId.parse(text))
    ? { kind: 'nodeId', title: 'Node', text }
    : unknown('NodeID with a wrong checksum or length', text)
}

function address(text: string): Classified {
  const bare = text.replace(/^[PXC]-/, '')
  if (!attempt(() => Bech32.decode(bare))) return unknown('Address with a wrong checksum', text)
  const chain = text === bare ? 'Primary Network' : `${text[0]}-chain`
  return { kind: 'address', title: `${chain} address`, text }
}

function hex(input: string): Classified {
  const digits = input.replace(/^0x/i, '').toLowerCase()
  const text = `0x${digits}`
  if (digits.length === 40) return { kind: 'evmAddress', title: 'EVM address', text }
  if (digits.length === 64) return { kind: 'hash', title: 'EVM hash, or an id in hexadecimal', text }
  if (isWarpMessage(digits)) return { kind: 'warpMessage', title: 'Warp message', text }
  return unknown(`${Math.ceil(digits.length / 2)} bytes in hexadecimal, not a known id`, text)
}

/** A Warp message begins with the codec version 0, network, source chain, and the length of the payload. */
function isWarpMessage(digits: string): boolean {
  const length = digits.length / 2
  if (!Number.isInteger(length) || length < MESSAGE_BYTES.min || length > MESSAGE_BYTES.max) return false
  const payload = Number.parseInt(digits.slice(76, 84), 16)
  return digits.startsWith('0000') && MESSAGE_BYTES.min + payload <= length
}

function cb58(text: string): Classified {
  const bytes = attempt(() => Cb58.decode(text))
  if (bytes === undefined) {
    const title = /^[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text)
      ? 'Id with a wrong checksum'
      : 'Not a known kind of id'
    return unknown(title, text)
  }
  if (bytes.length !== 32) return unknown(`CB58 with ${bytes.length} bytes, not an id`, text)
  return { kind: 'id', title: 'Id of a transaction, block, blockchain, subnet, validation or asset', text }
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
