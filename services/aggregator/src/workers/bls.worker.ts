import { parentPort } from 'node:worker_threads'
import { Prover } from '@firn/aggregation/proving'
import { PublicKey, Signature } from '@firn/bls'
import { serveJobs, systemClock } from '@firn/runtime'
import { split } from './bytes.ts'
import { type Jobs, VERDICTS } from './Jobs.ts'

type Input<K extends keyof Jobs> = Jobs[K]['input']
type Output<K extends keyof Jobs> = Jobs[K]['output']

const prover = Prover.create(systemClock)

if (parentPort !== null) serveJobs<Jobs>(parentPort, { check, aggregate, decodeKeys })

async function check({ message, publicKeys, signatures }: Input<'check'>): Promise<Output<'check'>> {
  const keys = split(publicKeys, PublicKey.UNCOMPRESSED_SIZE).map((key) => PublicKey.restore(key))
  const received = split(signatures, Signature.SIZE)
  const results = await prover.check(
    message,
    keys.map((publicKey, place) => ({ publicKey, signature: received[place] as Uint8Array })),
  )
  const verdicts = new Uint8Array(keys.length)
  const points = new Uint8Array(keys.length * Signature.UNCOMPRESSED_SIZE)
  for (const [place, verdict] of results.entries()) {
    if (typeof verdict === 'string') verdicts[place] = VERDICTS.indexOf(verdict)
    else points.set(Signature.uncompress(verdict.signature), place * Signature.UNCOMPRESSED_SIZE)
  }
  return { verdicts, points }
}

async function aggregate(input: Input<'aggregate'>): Promise<Output<'aggregate'>> {
  const signatures = split(input.signatures, Signature.UNCOMPRESSED_SIZE)
  const signers = split(input.publicKeys, PublicKey.UNCOMPRESSED_SIZE).map((key, place) => ({
    publicKey: PublicKey.restore(key),
    signature: Signature.restore(signatures[place] as Uint8Array),
  }))
  return prover.aggregate(input.message, signers)
}

function decodeKeys(compressed: Input<'decodeKeys'>): Output<'decodeKeys'> {
  const keys = split(compressed, PublicKey.SIZE)
  const uncompressed = new Uint8Array(keys.length * PublicKey.UNCOMPRESSED_SIZE)
  for (const [place, key] of keys.entries()) {
    try {
      uncompressed.set(PublicKey.decode(key).uncompressed, place * PublicKey.UNCOMPRESSED_SIZE)
    } catch {
      // The bytes stay zero.
    }
  }
  return uncompressed
}
