import type { KnownRefusal } from '@firn/aggregation'
import { Bytes, Hex, Id, isFirnError } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { L1Message, Payload, type UnsignedMessage } from '@firn/warp'
import { createMemo, withPatience } from '../internal/flights.ts'
import { isUpstreamError } from '../p-chain/Heights.ts'
import type { L1Validator, PChain } from '../p-chain/PChain.ts'
import type { Subnets } from '../p-chain/Subnets.ts'

/** Maximum time that a request waits for the state of the P-chain, in milliseconds. */
const PATIENCE_MS = 250
/** Time for which the state of a validation is cached, in milliseconds. */
const TTL_MS = 1_000
const MAX_VALIDATIONS = 4_096

/** The error codes of validators for the refusals that are certain. */
const CODES = { conversionId: 7, nonce: 16, weight: 17 }

/**
 * What the P-chain known to this service says about a message of the P-chain:
 * - `signable`: validators sign it as soon as they have the same state.
 * - `unknown`: the message is of another chain, or it depends on blocks that may not be known here yet.
 * - a refusal: no validator signs it, because later blocks cannot change that.
 */
export type Verdict = 'signable' | 'unknown' | KnownRefusal

/** A question to the judge. */
export interface Question {
  readonly message: UnsignedMessage.UnsignedMessage
  readonly justification: Uint8Array | undefined
  /** Whether only a refusal is of interest, so that nothing is looked up for messages that cannot be refused here. */
  readonly isForRefusal: boolean
  readonly signal: AbortSignal
}

/** Judges messages of the P-chain. Created by {@link createPlatformVerdict}. */
export interface PlatformVerdict {
  /** Returns the verdict on a message. A P-chain API that fails or is slow makes it `unknown`. */
  judge(question: Question): Promise<Verdict>
}

/** Options of {@link createPlatformVerdict}. */
export interface PlatformVerdictDependencies {
  readonly pChain: Pick<PChain, 'l1Validator'>
  readonly subnets: Pick<Subnets, 'find'>
  readonly clock: Clock
}

/**
 * Creates the judge. It refuses only what stays refused at every later height, so it is right even if the P-chain known
 * here lags behind: nonces of a validation only increase, its weight changes only together with the nonce, and a
 * conversion is final. Whether a validation was removed, or exists again, may have changed in a block that is not known
 * here, so the validators decide about it.
 */
export function createPlatformVerdict({
  pChain,
  subnets,
  clock,
}: PlatformVerdictDependencies): PlatformVerdict {
  const validations = createMemo<L1Validator | undefined>({
    max: MAX_VALIDATIONS,
    clock,
    ttlMs: () => TTL_MS,
  })
  const find = (id: Uint8Array, signal: AbortSignal) =>
    validations.get(Hex.encodeBare(id), () => pChain.l1Validator(id), signal)
  const look = async (content: L1Message.L1Message, question: Question): Promise<Verdict> => {
    const { justification = new Uint8Array(), isForRefusal, signal } = question
    switch (content.type) {
      case 'SubnetToL1Conversion': {
        if (justification.length !== Id.LENGTH) return 'unknown'
        const subnet = await subnets.find(justification, signal)
        return subnet?.isL1 ? ofConversion(content.id, subnet.conversionId) : 'unknown'
      }
      case 'L1ValidatorRegistration': {
        if (isForRefusal) return 'unknown'
        const isStored = (await find(content.validationID, signal)) !== undefined
        return isStored === content.registered ? 'signable' : 'unknown'
      }
      case 'L1ValidatorWeight':
        return ofWeight(content, await find(content.validationID, signal))
      default:
        return 'unknown'
    }
  }
  return {
    judge: async (question) => {
      const content = contentOf(question.message)
      if (content === undefined) return 'unknown'
      const flight = look(content, question).catch((error: unknown) => {
        if (isUpstreamError(error)) return 'unknown' as const
        throw error
      })
      return withPatience<Verdict>(flight, 'unknown', PATIENCE_MS, clock)
    },
  }
}

/** Returns the content of a message of the P-chain; undefined for all other messages. */
function contentOf(message: UnsignedMessage.UnsignedMessage): L1Message.L1Message | undefined {
  if (!Bytes.isZero(message.sourceChainID)) return undefined
  try {
    const call = Payload.decode(message.payload)
    if (call.type !== 'AddressedCall' || call.sourceAddress.length > 0) return undefined
    return L1Message.decode(call.payload)
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

function ofConversion(id: Uint8Array, stored: Uint8Array): Verdict {
  if (Bytes.equals(id, stored)) return 'signable'
  return refusal(CODES.conversionId, `the subnet was converted with the conversion id ${Id.format(stored)}`)
}

function ofWeight({ nonce, weight }: L1Message.L1ValidatorWeight, stored: L1Validator | undefined): Verdict {
  if (stored === undefined || stored.minNonce < nonce + 1n) return 'unknown'
  if (stored.minNonce > nonce + 1n)
    return refusal(CODES.nonce, `the nonce ${nonce} has passed: the latest one is ${stored.minNonce - 1n}`)
  if (stored.weight === weight) return 'signable'
  return refusal(CODES.weight, `the weight with the nonce ${nonce} is ${stored.weight}, not ${weight}`)
}

function refusal(code: number, text: string): KnownRefusal {
  return { code, text, reportedBy: 'the P-chain' }
}
