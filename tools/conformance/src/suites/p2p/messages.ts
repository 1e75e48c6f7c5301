import { AppErrorCode, Frame, HandlerPrefix, Message, PullGossip } from '@firn/p2p'
import { Acp118 } from '@firn/warp'
import * as Case from '../../Case.ts'
import * as Outcome from '../../Outcome.ts'
import type { Check } from '../../Suite.ts'

const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/**
 * Converts a message to the form of the vectors. Names are in snake case, and the protobuf library's own
 * members are omitted.
 */
function dump(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dump)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const members = Object.entries(value).filter(
    ([name, member]) => !name.startsWith('$') && member !== undefined,
  )
  return Object.fromEntries(members.map(([name, member]) => [snake(name), dump(member)]))
}

/** Returns the reference's name of an operation. Two of these names lack an underscore. */
const operation = (body: Message.Body): string => snake(body.case).replace('peer_list', 'peerlist')

const message: Check = (it) => {
  const bytes = Case.bytes(it, 'bytes')
  const body = Message.decode(bytes)
  Case.equals(it, 'op', operation(body))
  Case.equals(it, 'fields', { [snake(body.case)]: dump(body.value) })
  Case.equals(it, 'bytes', Message.encode(body))
  Case.equals(it, 'framed', Frame.encode(bytes))
  Case.same('announced length', bytes.length, Frame.decodeLength(Case.bytes(it, 'framed')))
  // This field says whether the reference's own message queue limits the message, which peers cannot observe.
  Case.ignore(it, 'bypassThrottling')
  const isCompressed = Case.given(it, 'compressed') !== null
  Case.same('presence of a compressed form', isCompressed, Message.isCompressedByNodes(body.case))
  if (!isCompressed) return undefined
  const compressed = Case.bytes(it, 'compressed')
  const unwrapped = Message.unwrap(compressed)
  Case.equals(it, 'bytes', unwrapped)
  Case.equals(it, 'bytesSaved', unwrapped.length - compressed.length)
  Case.same('message in compressed form', dump(body.value), dump(Message.decode(compressed).value))
  Case.equals(it, 'bytes', Message.unwrap(Message.encode(body, { compress: true })))
  return undefined
}

const parseMessage: Check = (it) => {
  const parsed = Case.verdict(it, () => Message.decode(Case.bytes(it, 'bytes')))
  if (parsed === undefined) return undefined
  Case.equals(it, 'op', operation(parsed.value))
  Case.equals(it, 'fields', dump(parsed.value.value))
  return undefined
}

const frameLength: Check = (it) => {
  const length = Case.number(it, 'length')
  const bytes = Case.bytes(it, 'bytes')
  Case.same('length in bytes', length, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0))
  const decoded = Case.verdict(it, () => Frame.decodeLength(bytes))
  if (decoded === undefined) return undefined
  Case.equals(it, 'length', decoded.value)
  Case.equals(it, 'bytes', Frame.encode(new Uint8Array(length)).subarray(0, 4))
  return undefined
}

const handlerPrefix: Check = (it) => {
  const handlerId = Case.bigint(it, 'handlerID')
  Case.equals(it, 'prefix', HandlerPrefix.encode(handlerId))
  const body = Uint8Array.of(1, 2, 3)
  const parsed = HandlerPrefix.parse(HandlerPrefix.prepend(handlerId, body))
  Case.same('parsed prefix', { handlerId, length: Case.bytes(it, 'prefix').length, body }, parsed)
  return undefined
}

/**
 * Checks how the prefix of an application message is parsed. `n` is the number of prefix bytes; a missing or
 * negative `n` means no prefix.
 */
const handlerPrefixParse: Check = (it) => {
  const bytes = Case.bytes(it, 'bytes')
  const parsed = HandlerPrefix.parse(bytes)
  const n = Case.number(it, 'n')
  Case.same('presence of a prefix (n is positive)', n > 0, parsed !== undefined)
  Case.equals(it, 'handlerID', parsed?.handlerId ?? 0n)
  if (parsed !== undefined) {
    Case.equals(it, 'n', parsed.length)
    Case.same('body', bytes.subarray(n), parsed.body)
  }
  return undefined
}

const handlerIds: Check = (it) => {
  const { TX_GOSSIP, ATOMIC_TX_GOSSIP, SIGNATURE_REQUEST } = HandlerPrefix
  Case.equals(it, 'txGossip', TX_GOSSIP)
  Case.equals(it, 'atomicTxGossip', ATOMIC_TX_GOSSIP)
  Case.equals(it, 'signatureRequest', SIGNATURE_REQUEST)
  return undefined
}

const APP_ERRORS: Readonly<Record<string, number>> = {
  ErrUnexpected: AppErrorCode.unexpected,
  ErrUnregisteredHandler: AppErrorCode.unregisteredHandler,
  ErrNotValidator: AppErrorCode.notValidator,
  ErrThrottled: AppErrorCode.throttled,
}

const appErrorConst: Check = (it) => {
  const [errorCode, errorMessage] = [Case.number(it, 'code'), Case.text(it, 'message')]
  Case.equals(it, 'code', APP_ERRORS[it.name])
  const value = { chainId: new Uint8Array(32), requestId: 1, errorCode, errorMessage }
  const decoded = Message.decode(Message.encode({ case: 'appError', value }))
  const { error_code, error_message } = dump(decoded.value) as Readonly<Record<string, unknown>>
  Case.equals(it, 'code', error_code)
  Case.equals(it, 'message', error_message)
  return undefined
}

const sdk: Check = (it) => {
  const bytes = Case.bytes(it, 'bytes')
  const run = <Value>(decode: (bytes: Uint8Array) => Value, encode: (value: Value) => Uint8Array) => {
    const value = decode(bytes)
    Case.equals(it, 'fields', { ...value })
    Case.equals(it, 'bytes', encode(value))
  }
  if (it.name === 'sdk.SignatureRequest') run(Acp118.decodeRequest, Acp118.encodeRequest)
  else if (it.name.startsWith('sdk.PullGossipRequest'))
    run(PullGossip.decodeRequest, PullGossip.encodeRequest)
  else if (it.name === 'sdk.PullGossipResponse') run(PullGossip.decodeResponse, PullGossip.encodeResponse)
  else return Outcome.failed('name', 'a known message', it.name)
  return undefined
}

/** Checks of `p2p.json` on messages, frames and the contents of application messages. */
export const messageChecks: Readonly<Record<string, Check>> = {
  message,
  parseMessage,
  frameLength,
  handlerPrefix,
  handlerPrefixParse,
  handlerIDs: handlerIds,
  appErrorConst,
  sdk,
}
