import { ProofOfPossession, PublicKey, Signature } from '@firn/bls'
import { Bytes, Id, isFirnError, NodeId } from '@firn/codec'
import * as Amount from '../avax/Amount.ts'
import * as BaseTx from '../avax/BaseTx.ts'
import * as TransferableInput from '../avax/TransferableInput.ts'
import * as TransferableOutput from '../avax/TransferableOutput.ts'
import * as Owners from '../fx/Owners.ts'
import type * as Signer from '../platform/Signer.ts'
import * as Stakeable from '../platform/Stakeable.ts'
import type { Validator } from '../platform/StakerTx.ts'
import type { Of } from '../platform/UnsignedTx.ts'
import type { Verifiable } from '../platform/Verifiable.ts'
import { TxsError, type TxsErrorCode } from '../TxsError.ts'
import { withDetails } from './withDetails.ts'

/** 100 %, in millionths. */
const ALL_SHARES = 1_000_000

/** Throws a TxsError with `details`. */
export function refuse(
  code: TxsErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): never {
  throw new TxsError(code, message, { details, cause })
}

/** The part of a transaction that is invalid. The node's errors name it, so errors have it as `details.part`. */
export type Part =
  | 'metadata'
  | 'output'
  | 'input'
  | 'order'
  | 'staker'
  | 'staked output'
  | 'exported output'
  | 'imported input'

/** Runs a check of a part, and names the part in its errors. */
export function inPart(part: Part, check: () => void): void {
  withDetails({ part }, check)
}

/** Checks the common fields: network, chain, memo, outputs and inputs. */
export function assertBase(tx: Omit<Of<'BaseTx'>, 'type'>, chain: BaseTx.Chain): void {
  inPart('metadata', () => BaseTx.assertMetadata(tx, chain))
  inPart('output', () => tx.outputs.forEach(assertOut))
  inPart('input', () => tx.inputs.forEach(assertIn))
  inPart('order', () => {
    TransferableOutput.assertSorted(Stakeable.Output, tx.outputs)
    TransferableInput.assertSortedAndUnique(tx.inputs)
  })
}

/** Checks an output and its asset. */
export function assertOut({ assetID: assetId, output }: Stakeable.Out): void {
  BaseTx.assertAsset(assetId)
  assertLock(output)
  Owners.assertOutput(Stakeable.unlocked(output))
}

/** Checks an input and its asset. */
export function assertIn({ assetID: assetId, input }: Stakeable.In): void {
  BaseTx.assertAsset(assetId)
  assertLock(input)
  Owners.assertInput(Stakeable.unlockedInput(input))
}

function assertLock(lock: Stakeable.Output | Stakeable.Input): void {
  if ((lock.type === 'LockOut' || lock.type === 'LockIn') && lock.locktime === 0n)
    refuse('TXS_LOCKTIME', `expected a lock time above 0 in ${lock.type}, got 0`, { rule: 'positive' })
}

/** Checks that a share is at most 100 %. */
export function assertShares(shares: number, what: 'delegation' | 'compounding' = 'delegation'): void {
  if (shares > ALL_SHARES)
    refuse('TXS_SHARES', `expected a share of at most ${ALL_SHARES} millionths, got ${shares}`, {
      what,
      shares,
      maximum: ALL_SHARES,
    })
}

/** Checks that a weight, balance or time is above 0. */
export function assertPositive(what: string, amount: bigint): void {
  if (amount === 0n) refuse('TXS_NO_VALUE', `expected a ${what} above 0, got 0`, { what })
}

/** Checks that a subnet is not the Primary Network, whose id is all zero. */
export function assertSubnet(subnetId: Uint8Array): void {
  if (Bytes.isZero(subnetId)) refuse('TXS_SUBNET_ID', "expected a subnet id, got the Primary Network's")
}

/** Checks that a transaction id is not all zero. */
export function assertTxId(txId: Uint8Array): void {
  if (Bytes.isZero(txId)) refuse('TXS_TX_ID', 'expected a transaction id, got the zero id')
}

/** Checks that a validator's node id has 20 bytes and is not all zero. */
export function assertNodeId(nodeId: Uint8Array): void {
  if (nodeId.length !== NodeId.EMPTY.length)
    refuse('TXS_NODE_ID', `expected a node id of ${NodeId.EMPTY.length} bytes, got ${nodeId.length}`, {
      length: nodeId.length,
    })
  if (Bytes.isZero(nodeId)) refuse('TXS_NODE_ID', 'expected a node id, got the zero id')
}

/**
 * Checks that staked outputs are valid and sorted, that their sum fits into 64 bits, and that all have the asset
 * `assetId` (default: the asset of the first output).
 */
export function assertStake(stake: readonly Stakeable.Out[], assetId?: Uint8Array): void {
  inPart('staked output', () => stake.forEach(assertOut))
  const expected = assetId ?? stake[0]?.assetID
  for (const { assetID: actual } of stake) {
    if (expected === undefined || Bytes.equals(actual, expected)) continue
    const details = { expected: Id.format(expected), actual: Id.format(actual) }
    refuse('TXS_ASSET_ID', `expected stake of asset ${details.expected}, got ${details.actual}`, details)
  }
  Amount.sum(stake.map(({ output }) => Stakeable.unlocked(output).amount))
  TransferableOutput.assertSorted(Stakeable.Output, stake)
}

/** Checks that there is at least one staked output. */
export function assertHasStake(stake: readonly Stakeable.Out[]): void {
  if (stake.length === 0) refuse('TXS_NO_STAKE', 'expected at least one staked output, got none')
}

/** Checks that staked outputs add up to the validator's or delegator's weight. */
export function assertWeight(weight: bigint, stake: readonly Stakeable.Out[]): void {
  const total = Amount.sum(stake.map(({ output }) => Stakeable.unlocked(output).amount))
  if (total !== weight)
    refuse('TXS_STAKE_WEIGHT', `expected staked outputs that add up to the weight ${weight}, got ${total}`, {
      weight,
      stake: total,
    })
}

/** What is wrong with a BLS key or its proof of possession: the encoding of the point, or the point. */
type ProofFault = 'key encoding' | 'key' | 'signature encoding' | 'signature' | 'proof'

/** Checks that a proof of possession was signed with the key that it contains. */
export function assertProof({ publicKey: key, proofOfPossession: proof }: Signer.ProofOfPossession): void {
  const publicKey = parse('key', PublicKey, key)
  const signature = parse('signature', Signature, proof)
  if (ProofOfPossession.verify(publicKey, key, signature)) return
  const fault: ProofFault = 'proof'
  refuse('TXS_SIGNER', "the proof of possession was not signed with the signer's BLS key", { fault })
}

interface Point<T> {
  decode(bytes: Uint8Array): T
  isPoint(bytes: Uint8Array): boolean
}

function parse<T>(what: 'key' | 'signature', { decode, isPoint }: Point<T>, bytes: Uint8Array): T {
  try {
    return decode(bytes)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    const fault: ProofFault = isPoint(bytes) ? what : `${what} encoding`
    return refuse('TXS_SIGNER', `invalid BLS key or proof of possession: ${cause.message}`, { fault }, cause)
  }
}

/** Checks that a signer is empty or has a valid proof of possession. */
export function assertSigner(signer: Signer.Signer): void {
  if (signer.type === 'ProofOfPossession') assertProof(signer)
}

/** Checks an authorization by the rules of its type. */
export function assertVerifiable(value: Verifiable): void {
  const check = VERIFIABLE[value.type] as (value: Verifiable) => void
  check(value)
}

const assertStaker = ({ validator }: { readonly validator: Validator }) =>
  assertPositive('weight', validator.weight)

type VerifiableOf<T> = Extract<Verifiable, { readonly type: T }>

const VERIFIABLE: { readonly [T in Verifiable['type']]: (value: VerifiableOf<T>) => void } = {
  Input: Owners.assertIndices,
  TransferInput: Owners.assertInput,
  TransferOutput: Owners.assertOutput,
  OutputOwners: Owners.assertValid,
  Credential: () => undefined,
  Empty: () => undefined,
  ProofOfPossession: assertProof,
  LockIn(value) {
    assertLock(value)
    Owners.assertInput(value.input)
  },
  LockOut(value) {
    assertLock(value)
    Owners.assertOutput(value.output)
  },
  AddSubnetValidatorTx({ validator }) {
    assertSubnet(validator.subnetID)
    assertPositive('weight', validator.weight)
  },
  AddValidatorTx: assertStaker,
  AddDelegatorTx: assertStaker,
  AddPermissionlessValidatorTx: assertStaker,
  AddPermissionlessDelegatorTx: assertStaker,
}
