import { SecretKey } from '@firn/bls'
import { Json, NodeId } from '@firn/codec'
import { BitSet, Quorum, SignedMessage, UnsignedMessage, ValidatorSet, Verification } from '@firn/warp'
import * as Case from '../../Case.ts'
import { ConformanceError } from '../../ConformanceError.ts'
import { plain } from '../../internal/plain.ts'
import { checkReason } from '../../internal/reasons.ts'
import type { Check } from '../../Suite.ts'

function node(it: Case.Case): ValidatorSet.Node {
  const publicKey = Case.given(it, 'publicKey') === null ? null : Case.bytes(it, 'publicKey')
  if (Case.has(it, 'secretKey')) {
    const secretKey = SecretKey.decode(Case.bytes(it, 'secretKey'))
    Case.equals(it, 'publicKey', SecretKey.publicKey(secretKey).compressed)
  }
  const weight = Case.bigint(it, 'weight')
  const nodeId = NodeId.parse(Case.text(it, 'nodeID'))
  Case.close(it)
  return { nodeId, publicKey, weight }
}

const create = (it: Case.Case) => ValidatorSet.create(Case.records(it, 'validators').map(node))

/** Returns a canonical set in the reference's JSON form. */
function printed({ validators, totalWeight }: ValidatorSet.ValidatorSet) {
  const members = validators.map(({ publicKey, weight, nodeIds }) => ({
    publicKey: publicKey.compressed,
    weight,
    nodeIDs: nodeIds.map(NodeId.format),
  }))
  return { validators: members, totalWeight }
}

function checkCanonical(it: Case.Case, set: ValidatorSet.ValidatorSet): void {
  const expected = Case.records(it, 'canonical')
  Case.same('number of canonical validators', expected.length, set.validators.length)
  printed(set).validators.forEach((validator, index) => {
    const entry = expected[index] as Case.Case
    for (const field of ['publicKey', 'weight', 'nodeIDs'] as const)
      Case.equals(entry, field, validator[field])
    // The largest sets do not contain this field.
    if (Case.has(entry, 'publicKeyUncompressed')) {
      Case.equals(entry, 'publicKeyUncompressed', set.validators[index]?.publicKey.uncompressed)
    }
    Case.close(entry)
  })
}

const validatorSet: Check = (it) => {
  const created = Case.verdict(it, () => create(it))
  if (created === undefined) return undefined
  const set = created.value
  checkCanonical(it, set)
  Case.equals(it, 'totalWeight', set.totalWeight)
  if (Case.has(it, 'json')) Case.equals(it, 'json', Json.stringify(plain(printed(set)) as Json.Json))
  const { validators, totalWeight } = set
  const again = validators.map((validator) => ({ ...validator, publicKey: validator.publicKey.compressed }))
  const read = ValidatorSet.fromCanonical({ validators: again, totalWeight })
  Case.same('set decoded from its canonical form', printed(set), printed(read))
  return undefined
}

/** Caches the sets of a file by name, because hundreds of messages refer to only a dozen sets. */
const cache = new WeakMap<readonly Case.RawCase[], Map<string, ValidatorSet.ValidatorSet>>()

function setNamed(name: string, all: readonly Case.RawCase[]): ValidatorSet.ValidatorSet {
  const sets = cache.get(all) ?? new Map<string, ValidatorSet.ValidatorSet>()
  cache.set(all, sets)
  const known = sets.get(name)
  if (known !== undefined) return known
  const raw = all.find((other) => other['kind'] === 'validatorSet' && other['name'] === name)
  if (raw === undefined) throw new ConformanceError('CONFORMANCE_CASE', `unknown validator set "${name}"`)
  const set = create(Case.create(raw))
  sets.set(name, set)
  return set
}

const signedMessage: Check = (it, all) => {
  const bytes = Case.bytes(it, 'bytes')
  const message = SignedMessage.decode(bytes)
  Case.equals(it, 'bytes', SignedMessage.encode(message))
  Case.equals(it, 'unsignedBytes', UnsignedMessage.encode(message.unsigned))
  Case.equals(it, 'signers', message.signature.signers)
  Case.equals(it, 'signature', message.signature.signature)
  const counted = Case.attempt(() => BitSet.decode(message.signature.signers).length)
  if (Case.has(it, 'numSignersError')) {
    Case.same('rejection when counting signers', undefined, counted)
    Case.equals(it, 'numSignersError', 'bitset is invalid')
  } else Case.equals(it, 'numSigners', counted?.value)
  const result = Verification.verify(message, {
    networkId: Case.number(it, 'networkID'),
    validatorSet: setNamed(Case.text(it, 'validatorSet'), all),
    quorum: { numerator: Case.bigint(it, 'quorumNum'), denominator: Case.bigint(it, 'quorumDen') },
  })
  Case.equals(it, 'valid', result.ok)
  if (!result.ok) checkReason(Case.text(it, 'error'), result)
  return undefined
}

const verifyWeight: Check = (it) => {
  const [signed, total] = [Case.bigint(it, 'signed'), Case.bigint(it, 'total')]
  const isMet = Quorum.isMet(signed, total, Case.bigint(it, 'quorumNum'), Case.bigint(it, 'quorumDen'))
  Case.same('verdict (error is null)', Case.given(it, 'error') === null, isMet)
  return undefined
}

/** Checks of `warp.json` on validator sets, and on messages that are verified against them. */
export const validatorChecks: Readonly<Record<string, Check>> = { validatorSet, signedMessage, verifyWeight }
