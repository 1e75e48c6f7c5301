import { BatchCheck, type Prover } from '@firn/aggregation'
import { PublicKey, Signature } from '@firn/bls'
import { join, split } from './bytes.ts'
import { VERDICTS } from './Jobs.ts'
import type { Threads } from './Threads.ts'

/** Returns a prover that works in the threads of a pool. */
export function createPooledProver(threads: Pick<Threads, 'run'>): Prover.Prover {
  return {
    async check(message, received) {
      if (received.length === 0) return []
      const { verdicts, points } = await threads.run('check', {
        message,
        publicKeys: joinKeys(received),
        signatures: join(
          received.map(({ signature }) => signature),
          Signature.SIZE,
        ),
      })
      const signatures = split(points, Signature.UNCOMPRESSED_SIZE)
      return received.map(({ publicKey }, place) => {
        const verdict = VERDICTS[verdicts[place] as number] as (typeof VERDICTS)[number]
        if (verdict !== 'valid') return verdict
        return BatchCheck.toProved(publicKey, Signature.restore(signatures[place] as Uint8Array))
      })
    },
    aggregate: (message, signers) =>
      threads.run('aggregate', {
        message,
        publicKeys: joinKeys(signers),
        signatures: join(
          signers.map(({ signature }) => Signature.uncompress(signature)),
          Signature.UNCOMPRESSED_SIZE,
        ),
      }),
  }
}

function joinKeys(owners: readonly { readonly publicKey: PublicKey.PublicKey }[]): Uint8Array {
  return join(
    owners.map(({ publicKey }) => publicKey.uncompressed),
    PublicKey.UNCOMPRESSED_SIZE,
  )
}
