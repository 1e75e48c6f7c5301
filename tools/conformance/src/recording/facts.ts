import { ProofOfPossession, PublicKey, Signature } from '@firn/bls'
import { Bytes, Hex, Id, NodeId } from '@firn/codec'
import { Justification, L1Message, Payload, UnsignedMessage, ValidationId, WarpEvent } from '@firn/warp'
import * as Case from '../Case.ts'
import type { Request } from './request.ts'

/** Values to which the facts in a recording are compared. */
interface Context {
  readonly request: Request
  readonly message: UnsignedMessage.UnsignedMessage
  /** Payload of the message's AddressedCall; empty for a block hash. */
  readonly inner: Uint8Array
}

type Fact = (it: Case.Case, context: Context) => void

/** Returns the validation id of a message between an L1 and the P-chain. */
function validationIdOf({ inner }: Context): Uint8Array {
  const message = L1Message.decode(inner)
  if (message.type === 'RegisterL1Validator') return ValidationId.registered(inner)
  return message.type === 'SubnetToL1Conversion' ? Id.EMPTY : message.validationID
}

/** Checks the log of the precompile that sent the message. */
function checkLog(it: Case.Case, field: string, { message }: Context): void {
  const log = Case.record(it, field)
  Case.equals(log, 'unsigned', UnsignedMessage.encode(message))
  const { sourceAddress } = Payload.decodeAs(message.payload, 'AddressedCall')
  const expected = WarpEvent.encode(sourceAddress, message)
  Case.equals(log, 'topics', expected.topics)
  Case.same('event of the log', UnsignedMessage.id(message), WarpEvent.decode(expected).messageId)
  // These fields contain the position of the log on its chain.
  Case.ignore(log, 'block', 'tx', 'logIndex')
  Case.close(log)
}

/**
 * Checks the payload. It belongs to the message itself, or to the registration to which the message refers.
 */
function checkPayload(it: Case.Case, context: Context): void {
  const payload = Case.bytes(it, 'payload')
  if (Bytes.equals(payload, context.inner)) return
  Case.same('validation id of the payload', validationIdOf(context), ValidationId.registered(payload))
  Case.same(
    'payload after re-encoding',
    payload,
    L1Message.encode(L1Message.decodeAs(payload, 'RegisterL1Validator')),
  )
}

/**
 * Checks the justification, which is a subnet id for a conversion and the preimage of the validation id for a
 * registration.
 */
function checkJustification(it: Case.Case, context: Context): void {
  const bytes = Case.bytes(it, 'justification')
  if (context.request.justification !== '') {
    Case.equals(it, 'justification', Hex.decodeAny(context.request.justification))
  }
  if (L1Message.decode(context.inner).type === 'SubnetToL1Conversion') {
    Case.same('length of the subnet id', Id.LENGTH, bytes.length)
    return
  }
  const justification = Justification.decode(bytes)
  Case.same('presence of a justification', true, justification !== null)
  if (justification === null) return
  Case.same(
    'validation id of the justification',
    validationIdOf(context),
    Justification.validationId(justification),
  )
  Case.same('justification after re-encoding', bytes, Justification.encode(justification))
}

function checkHash(it: Case.Case, field: string, { message }: Context): void {
  Case.equals(it, field, Payload.decodeAs(message.payload, 'Hash').hash)
}

/** Returns the registration message of the validator with its NodeID and proof of possession. */
function registrationOf(it: Case.Case): L1Message.RegisterL1Validator {
  return L1Message.decodeAs(Case.bytes(it, 'payload'), 'RegisterL1Validator')
}

const FACTS: Readonly<Record<string, Fact>> = {
  payload: checkPayload,
  justification: checkJustification,
  log: (it, context) => checkLog(it, 'log', context),
  source: (it, context) => checkLog(it, 'source', context),
  unsigned: (it, { message }) => Case.equals(it, 'unsigned', UnsignedMessage.encode(message)),
  pchainUnsigned(it, { message: { networkID: networkId }, inner }) {
    const payload = Payload.encode({ type: 'AddressedCall', sourceAddress: new Uint8Array(), payload: inner })
    Case.equals(
      it,
      'pchainUnsigned',
      UnsignedMessage.encode({ networkID: networkId, sourceChainID: Id.EMPTY, payload }),
    )
  },
  signingSubnet: (it, { request }) => Case.equals(it, 'signingSubnet', request.signingSubnet),
  validationID: (it, context) => Case.equals(it, 'validationID', Id.format(validationIdOf(context))),
  nodeID: (it) => Case.equals(it, 'nodeID', NodeId.format(registrationOf(it).nodeID)),
  pop(it) {
    const publicKey = PublicKey.decode(registrationOf(it).blsPublicKey)
    const proof = Signature.decode(Case.bytes(it, 'pop'))
    Case.same(
      'validity of the proof of possession',
      true,
      ProofOfPossession.verify(publicKey, publicKey.compressed, proof),
    )
  },
  blockHash: (it, context) => checkHash(it, 'blockHash', context),
  hash: (it, context) => checkHash(it, 'hash', context),
  registerPayload(it, context) {
    const registration = Case.record(it, 'registerPayload')
    check(registration, context)
    Case.close(registration)
  },
}

function check(it: Case.Case, context: Context): void {
  for (const [field, fact] of Object.entries(FACTS)) if (Case.has(it, field)) fact(it, context)
}

/**
 * Checks the facts about a message that a recording contains in addition to the exchange: logs, payloads, ids
 * and justifications.
 */
export function checkFacts(it: Case.Case, request: Request, message: UnsignedMessage.UnsignedMessage): void {
  // Nodes do not sign messages with an unknown payload. Recordings of such messages contain no facts that
  // need the payload.
  const call = Case.attempt(() => Payload.decodeAs(message.payload, 'AddressedCall'))
  check(it, { request, message, inner: call?.value.payload ?? new Uint8Array() })
}
