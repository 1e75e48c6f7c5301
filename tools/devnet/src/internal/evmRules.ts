import { Id } from '@firn/codec'
import { Payload, ValidatorUptime } from '@firn/warp'
import { type EvmState, key, type VirtualMachine } from '../State.ts'
import { type Refusal, tryDecode } from './refusal.ts'

const PARSE = 1
const VERIFY = 2

/** Returns the reason why an EVM chain does not sign a payload, or undefined if it signs the payload. */
export function verifyEvm(
  payload: Uint8Array,
  messageId: Uint8Array,
  vm: VirtualMachine,
  evm: EvmState,
): Refusal | undefined {
  if (evm.messages.has(key(messageId))) return undefined
  const parsed = tryDecode(() => Payload.decode(payload))
  if (parsed === undefined) return { code: PARSE, text: 'failed to parse payload' }
  if (parsed.type === 'Hash') {
    if (evm.blocks.has(key(parsed.hash))) return undefined
    return { code: VERIFY, text: `failed to get block ${Id.format(parsed.hash)}: not found` }
  }
  if (vm !== 'subnet-evm') return { code: PARSE, text: 'unknown payload type: *payload.AddressedCall' }
  return verifyUptime(parsed, evm)
}

function verifyUptime({ sourceAddress, payload }: Payload.AddressedCall, evm: EvmState): Refusal | undefined {
  const uptime = tryDecode(() => ValidatorUptime.decode(payload))
  if (uptime === undefined) return { code: PARSE, text: 'failed to parse addressed call payload' }
  if (sourceAddress.length > 0)
    return { code: VERIFY, text: 'source address should be empty for offchain addressed messages' }
  const seconds = evm.uptimes.get(key(uptime.validationID))
  if (seconds === undefined)
    return { code: VERIFY, text: `failed to get uptime of ${Id.format(uptime.validationID)}` }
  if (seconds >= uptime.totalUptime) return undefined
  return { code: VERIFY, text: `current uptime ${seconds} is less than queried uptime ${uptime.totalUptime}` }
}
