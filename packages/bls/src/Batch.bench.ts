import assert from 'node:assert/strict'
import { blst } from './blst.ts'
import type { Engine } from './Engine.ts'
import { Batch, ProofOfPossession, PublicKey, SecretKey, Signature } from './index.ts'
import { noble } from './noble.ts'

const MESSAGE = new TextEncoder().encode('a message that a thousand validators sign')
const COUNT = 1000
/** Number of signatures for the portable engine, which takes about 30 ms to verify one signature. */
const FEW = 20

function entriesOf(engine: Engine, count: number): Batch.Entry[] {
  return Array.from({ length: count }, (_, signer) => {
    const material = new Uint8Array(32)
    new DataView(material.buffer).setUint32(0, signer)
    const secretKey = SecretKey.generate(material, blst)
    return {
      publicKey: PublicKey.decode(SecretKey.publicKey(secretKey).compressed, engine),
      signature: Signature.decode(Signature.sign(secretKey, MESSAGE).compressed, engine),
    }
  })
}

const verifyOne = ({ publicKey, signature }: Batch.Entry): boolean =>
  Signature.verify(publicKey, MESSAGE, signature)

/** Returns benchmarks that verify the same signatures one by one and in batches. */
function batches(entries: readonly Batch.Entry[]) {
  const check = (work: () => boolean) => {
    assert(work())
    return () => void work()
  }
  return {
    'batch with random weights': check(() => Batch.verify(MESSAGE, entries)),
    'batch with plain sums': check(() => Batch.verify(MESSAGE, entries, 'none')),
    'one by one': check(() => entries.every(verifyOne)),
  }
}

function naming() {
  const bad = COUNT / 2
  const [other] = native as [Batch.Entry]
  const spoilt = native.with(bad, { ...(native[bad] as Batch.Entry), publicKey: other.publicKey })
  const find = () => Batch.findInvalid(MESSAGE, spoilt)
  assert.deepEqual(find(), [bad])
  return { 'by bisection': find }
}

const native = entriesOf(blst, COUNT)
const [nativeEntry] = native as [Batch.Entry]
const [portableEntry] = entriesOf(noble, 1) as [Batch.Entry]
const secretKeys = [blst, noble].map((engine) => SecretKey.generate(new Uint8Array(32), engine))
const [nativeSecret, portableSecret] = secretKeys as [SecretKey.SecretKey, SecretKey.SecretKey]

function possession(secretKey: SecretKey.SecretKey): () => void {
  const publicKey = SecretKey.publicKey(secretKey)
  const proof = ProofOfPossession.sign(secretKey)
  return () => assert(ProofOfPossession.verify(publicKey, publicKey.compressed, proof))
}

export const benchmarks = {
  [`${COUNT} signatures of one message, blst`]: batches(native),
  [`${FEW} signatures of one message, noble`]: batches(entriesOf(noble, FEW)),
  [`finding one bad signature of ${COUNT}, blst`]: naming(),
  'parse a public key': {
    blst: () => PublicKey.decode(nativeEntry.publicKey.compressed, blst),
    noble: () => PublicKey.decode(portableEntry.publicKey.compressed, noble),
  },
  'parse a signature': {
    blst: () => Signature.decode(nativeEntry.signature.compressed, blst),
    noble: () => Signature.decode(portableEntry.signature.compressed, noble),
  },
  sign: {
    blst: () => Signature.sign(nativeSecret, MESSAGE),
    noble: () => Signature.sign(portableSecret, MESSAGE),
  },
  verify: { blst: () => assert(verifyOne(nativeEntry)), noble: () => assert(verifyOne(portableEntry)) },
  'sign a proof of possession': {
    blst: () => ProofOfPossession.sign(nativeSecret, MESSAGE),
    noble: () => ProofOfPossession.sign(portableSecret, MESSAGE),
  },
  'verify a proof of possession': { blst: possession(nativeSecret), noble: possession(portableSecret) },
}
