import assert from 'node:assert/strict'
import { test } from 'vitest'
import { blst } from './blst.ts'
import type { Engine } from './Engine.ts'
import { Batch, ProofOfPossession, PublicKey, SecretKey, Signature } from './index.ts'
import { noble } from './noble.ts'

const MESSAGE = new TextEncoder().encode('a message that a thousand validators sign')
const COUNT = 1000

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

/** CPU milliseconds (user and system, all threads) of one `run` of several. */
function cpu(runs: number, run: () => boolean): number {
  assert(run())
  const before = process.cpuUsage()
  for (let i = 0; i < runs; i++) assert(run())
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / runs
}

const report = (label: string, milliseconds: number, baseline: number): void =>
  console.log(
    `${label}: ${milliseconds.toFixed(2)} ms CPU, ${(baseline / milliseconds).toFixed(0)} times less`,
  )

test('1,000 signatures of one message: batch against one by one, CPU', () => {
  const entries = entriesOf(blst, COUNT)
  const oneByOne = cpu(1, () => entries.every(verifyOne))
  console.log(`blst, one by one, all ${COUNT} in one pass: ${oneByOne.toFixed(0)} ms CPU`)
  report(
    'blst, batch, plain sum',
    cpu(20, () => Batch.verify(MESSAGE, entries, 'none')),
    oneByOne,
  )
  report(
    'blst, batch, random weights',
    cpu(5, () => Batch.verify(MESSAGE, entries)),
    oneByOne,
  )
  const spoilt = entries.with(500, { ...entries[500], publicKey: entries[0]?.publicKey } as Batch.Entry)
  const naming = cpu(3, () => Batch.findInvalid(MESSAGE, spoilt).join() === '500')
  report('blst, naming one bad', naming, oneByOne)

  const sample = 10
  const portable = entriesOf(noble, sample)
  const slow = (cpu(1, () => portable.every(verifyOne)) * COUNT) / sample
  console.log(
    `noble, one by one, ${sample} measured and taken times ${COUNT / sample}: ${slow.toFixed(0)} ms CPU`,
  )
  const many = Array.from({ length: COUNT }, (_, i) => portable[i % sample] as Batch.Entry)
  report(
    'noble, batch, plain sum',
    cpu(3, () => Batch.verify(MESSAGE, many, 'none')),
    slow,
  )
  report(
    'noble, batch, random weights',
    cpu(1, () => Batch.verify(MESSAGE, many)),
    slow,
  )
})

const [nativeEntry] = entriesOf(blst, 1) as [Batch.Entry]
const [portableEntry] = entriesOf(noble, 1) as [Batch.Entry]
const secretKeys = [blst, noble].map((engine) => SecretKey.generate(new Uint8Array(32), engine))
const [nativeSecret, portableSecret] = secretKeys as [SecretKey.SecretKey, SecretKey.SecretKey]
const possessions = [nativeSecret, portableSecret].map((secretKey) => {
  const publicKey = SecretKey.publicKey(secretKey)
  const proof = ProofOfPossession.sign(secretKey)
  return () => assert(ProofOfPossession.verify(publicKey, publicKey.compressed, proof))
})

/** The same work on both engines; the results were compared by the tests. */
const PAIRS: Readonly<Record<string, readonly [() => unknown, () => unknown]>> = {
  'parse a public key': [
    () => PublicKey.decode(nativeEntry.publicKey.compressed, blst),
    () => PublicKey.decode(portableEntry.publicKey.compressed, noble),
  ],
  'parse a signature': [
    () => Signature.decode(nativeEntry.signature.compressed, blst),
    () => Signature.decode(portableEntry.signature.compressed, noble),
  ],
  sign: [() => Signature.sign(nativeSecret, MESSAGE), () => Signature.sign(portableSecret, MESSAGE)],
  verify: [() => assert(verifyOne(nativeEntry)), () => assert(verifyOne(portableEntry))],
  'sign a proof of possession': [
    () => ProofOfPossession.sign(nativeSecret, MESSAGE),
    () => ProofOfPossession.sign(portableSecret, MESSAGE),
  ],
  'verify a proof of possession': possessions as unknown as readonly [() => unknown, () => unknown],
}

for (const [work, [native, portable]] of Object.entries(PAIRS)) {
  test(work, async ({ bench }) => {
    await bench.compare(
      bench('blst', () => void native()),
      bench('noble', () => void portable()),
      { time: 300, warmupTime: 50, iterations: 5, warmupIterations: 1 },
    )
  })
}
