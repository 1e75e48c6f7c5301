import { Bytes, Id, NodeId } from '@firn/codec'
import { BitSet, Quorum, SignedMessage, UnsignedMessage, ValidatorSet, Verification } from '@firn/warp'
import * as Case from '../Case.ts'
import { checkReason } from '../internal/reasons.ts'

/** The quorums in percent for which the reference's verdict was recorded. */
const QUORUMS = [1, 67, 80, 100] as const

/**
 * NodeID that represents all nodes without a key. A recording contains the weight of these nodes only as part
 * of the total.
 */
const KEYLESS = new Uint8Array(20).fill(0xff)

function nodes(validator: Case.Case): ValidatorSet.Node[] {
  const publicKey = Case.bytes(validator, 'publicKeyCompressed')
  // Nodes that share a key are recorded with the sum of their weights.
  return Case.list(validator, 'nodeIDs').map((nodeId, index) => ({
    nodeId: NodeId.parse(String(nodeId)),
    publicKey,
    weight: index === 0 ? Case.bigint(validator, 'weight') : 0n,
  }))
}

/**
 * Rebuilds the canonical set of a recording from its nodes in another order, and compares the result with the
 * recorded order.
 */
export function rebuildSet(recorded: Case.Case): ValidatorSet.ValidatorSet {
  const validators = Case.records(recorded, 'validators')
  const keyed = validators.flatMap(nodes)
  const totalWeight = Case.bigint(recorded, 'totalWeight')
  const rest = keyed.reduce((weight, node) => weight - node.weight, totalWeight)
  const keyless = rest > 0n ? [{ nodeId: KEYLESS, publicKey: null, weight: rest }] : []
  const set = ValidatorSet.create([...keyed, ...keyless].reverse())
  Case.same('number of canonical validators', validators.length, set.validators.length)
  set.validators.forEach(({ publicKey, weight, nodeIds }, index) => {
    const validator = validators[index] as Case.Case
    Case.equals(validator, 'index', index)
    Case.equals(validator, 'publicKeyCompressed', publicKey.compressed)
    Case.equals(validator, 'publicKeyUncompressed', publicKey.uncompressed)
    Case.equals(validator, 'weight', weight)
    Case.equals(validator, 'nodeIDs', nodeIds.map(NodeId.format))
    Case.close(validator)
  })
  Case.equals(recorded, 'totalWeight', set.totalWeight)
  return set
}

function verify(message: SignedMessage.SignedMessage, set: ValidatorSet.ValidatorSet, percentage: number) {
  const { networkID: networkId } = message.unsigned
  return Verification.verify(message, {
    networkId,
    validatorSet: set,
    quorum: Quorum.percent(percentage),
  })
}

/** Returns whether validators with at least `percentage` percent of the set's weight signed the message. */
export function isSignedBy(bytes: Uint8Array, set: ValidatorSet.ValidatorSet, percentage: number): boolean {
  return verify(SignedMessage.decode(bytes), set, percentage).ok
}

/**
 * Returns the offset and the bit of each flip. The flips cover all signer bits, and bytes throughout the
 * message, including the boundaries of its fields.
 */
function flips(
  bytes: Uint8Array,
  { unsigned, signature }: SignedMessage.SignedMessage,
): [offset: number, bit: number][] {
  const signersAt = UnsignedMessage.encode(unsigned).length + 8
  const borders = [
    0,
    5,
    6,
    37,
    41,
    42,
    signersAt - 9,
    signersAt - 8,
    signersAt - 1,
    bytes.length - 96,
    bytes.length - 1,
  ]
  const spread = Array.from({ length: 8 }, (_, i) => Math.floor(((i + 0.5) * bytes.length) / 8))
  const signerBits = Array.from({ length: signature.signers.length * 8 }, (_, i): [number, number] => [
    signersAt + (i >> 3),
    i & 7,
  ])
  return [...[...borders, ...spread].map((offset): [number, number] => [offset, offset % 8]), ...signerBits]
}

/** Throws if a message with one flipped bit is still accepted at the lowest quorum. */
function checkFlips(
  bytes: Uint8Array,
  message: SignedMessage.SignedMessage,
  set: ValidatorSet.ValidatorSet,
): void {
  const { networkID: networkId } = message.unsigned
  const context = { networkId, validatorSet: set, quorum: Quorum.percent(1) }
  for (const [offset, bit] of flips(bytes, message)) {
    const flipped = bytes.with(offset, (bytes[offset] as number) ^ (1 << bit))
    const verdict = Case.attempt(() => Verification.verify(SignedMessage.decode(flipped), context))
    Case.same(`verdict after flipping bit ${bit} of byte ${offset}`, false, verdict?.value.ok ?? false)
  }
}

function checkVerdicts(
  recorded: Case.Case,
  message: SignedMessage.SignedMessage,
  set: ValidatorSet.ValidatorSet,
): void {
  for (const percentage of QUORUMS) {
    const expected = Case.text(recorded, `verify${percentage}`)
    const result = verify(message, set, percentage)
    Case.same(`verdict of verify${percentage}`, expected === 'ok', result.ok)
    if (expected !== 'ok') checkReason(expected, result)
  }
}

function checkSigners(
  signature: Case.Case,
  { signers, signature: aggregate }: SignedMessage.SignedMessage['signature'],
): void {
  const indices = BitSet.decode(signers)
  Case.equals(signature, 'signers', signers)
  Case.equals(signature, 'signers', BitSet.encode(indices))
  Case.equals(signature, 'signerIndices', indices)
  Case.equals(signature, 'numSigners', indices.length)
  Case.equals(signature, 'signature', aggregate)
  Case.close(signature)
}

/**
 * Checks all recorded facts about a signed message: its parts, its id and the verdicts. Also checks that the
 * message is rejected after each bit flip.
 */
export function checkSigned(bytes: Uint8Array, recorded: Case.Case, set: ValidatorSet.ValidatorSet): void {
  const message = SignedMessage.decode(bytes)
  Case.same('signed message after re-encoding', bytes, SignedMessage.encode(message))
  const unsigned = UnsignedMessage.encode(message.unsigned)
  Case.equals(recorded, 'unsigned', unsigned)
  Case.same('unsigned part', true, Bytes.equals(unsigned.subarray(2), bytes.subarray(2, unsigned.length)))
  Case.equals(recorded, 'payload', message.unsigned.payload)
  Case.equals(recorded, 'messageID', Id.format(UnsignedMessage.id(message.unsigned)))
  checkSigners(Case.record(recorded, 'signature'), message.signature)
  checkVerdicts(recorded, message, set)
  if (Case.text(recorded, 'verify1') === 'ok') checkFlips(bytes, message, set)
}
