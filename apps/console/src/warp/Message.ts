import { Hex, Id } from '@firn/codec'
import { Describe, SignedMessage, UnsignedMessage, WarpEvent } from '@firn/warp'
import { ConsoleError } from '../ConsoleError.ts'

/** A Warp structure that a user pasted. */
export interface Message {
  readonly tree: Describe.Tree
  /** The unsigned message in hex without 0x; undefined if the bytes contain none, such as a payload alone. */
  readonly unsigned: string | undefined
  /** Blockchain id of the source chain, and id of the message, in CB58. */
  readonly sourceChainId: string | undefined
  readonly messageId: string | undefined
  /** The signed message in hex without 0x, if the bytes are one. */
  readonly signed: string | undefined
}

/**
 * Decodes a message: signed, unsigned, or the data of a `SendWarpMessage` event; other Warp structures are only
 * described.
 * @throws ConsoleError `CONSOLE_INPUT`
 */
export function parse(hex: string): Message {
  try {
    const bytes = Hex.decodeAny(hex.replace(/\s/g, ''))
    const tree = Describe.tree(bytes)
    const unsigned = unsignedIn(tree.kind, bytes)
    return {
      tree,
      unsigned: unsigned && Hex.encodeBare(UnsignedMessage.encode(unsigned)),
      sourceChainId: unsigned && Id.format(unsigned.sourceChainID),
      messageId: unsigned && Id.format(UnsignedMessage.id(unsigned)),
      signed: tree.kind === 'SignedMessage' ? Hex.encodeBare(bytes) : undefined,
    }
  } catch (cause) {
    const { message } = cause as Error
    throw new ConsoleError('CONSOLE_INPUT', `This is not a Warp message: ${message}`, { cause })
  }
}

function unsignedIn(kind: Describe.Kind, bytes: Uint8Array): UnsignedMessage.UnsignedMessage | undefined {
  if (kind === 'SignedMessage') return SignedMessage.decode(bytes).unsigned
  if (kind === 'UnsignedMessage') return UnsignedMessage.decode(bytes)
  if (kind === 'SendWarpMessage') return UnsignedMessage.decode(WarpEvent.decodeData(bytes))
  return undefined
}

/** Address and first topic of the logs that contain Warp messages, in hex. */
export const LOG = { address: Hex.encode(WarpEvent.ADDRESS), topic: Hex.encode(WarpEvent.TOPIC) }

/** Returns the unsigned message in the data of a log, in hex without 0x. @throws ConsoleError `CONSOLE_INPUT` */
export function fromLog(data: string): string {
  const { unsigned } = parse(data)
  if (unsigned === undefined) throw new ConsoleError('CONSOLE_INPUT', 'The log contains no Warp message.')
  return unsigned
}
