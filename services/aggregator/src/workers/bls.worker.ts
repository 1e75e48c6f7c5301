import { parentPort } from 'node:worker_threads'
import { Prover } from '@firn/aggregation/proving'
import { PublicKey, Signature } from '@firn/bls'
import { systemClock } from '@firn/runtime'
import { split } from './bytes.ts'
import { type Job, type Jobs, type Kind, type Reply, type Request, VERDICTS } from './Job.ts'

type Input<K extends Kind> = Jobs[K]['input']
type Output<K extends Kind> = Jobs[K]['output']

const prover = Prover.create(systemClock)

// Messages are handled concurrently: when a long job lets the event loop continue, the jobs of the next message run.
parentPort?.on('message', (requests: readonly Request[]) => void reply(requests))

async function reply(requests: readonly Request[]): Promise<void> {
  for (const { id, job } of requests) {
    parentPort?.postMessage(
      await perform(job).then(
        (output): Reply => ({ id, output }),
        (error): Reply => ({ id, error: String(error) }),
      ),
    )
  }
}

async function perform(job: Job): Promise<Output<Kind>> {
  switch (job.kind) {
    case 'check':
      return check(job.input)
    case 'aggregate':
      return aggregate(job.input)
    case 'decodeKeys':
      return decodeKeys(job.input)
  }
}

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
