import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Bytes } from '@firn/codec'
import { type Clock, createThreads, type Logger } from '@firn/runtime'
import { type Block, Containers } from '@firn/sync'
import type { Jobs } from './Jobs.ts'

/** Checks the signatures of proposers; created by {@link createSignatureCheck}. */
export interface SignatureCheck {
  /** Returns for each block of a chain (id of 32 bytes) whether its container has its proposer's signature. */
  verify(chainId: Uint8Array, blocks: readonly Block[]): Promise<readonly boolean[]>
  close(): Promise<void>
}

/** Maximum number of blocks that are checked in the calling thread: which takes about 10 ms. */
const FEW_BLOCKS = 100
const MAX_THREADS = 4

/** Whether this module runs from its TypeScript source. In this case, the thread must also resolve packages to theirs. */
const IS_SOURCE = import.meta.url.endsWith('.ts')

/** Creates a check whose threads start with the first large answer of a peer. One processor is left to this thread. */
export function createSignatureCheck(clock: Clock, log: Pick<Logger, 'warn'>): SignatureCheck {
  const count = Math.min(Math.max(availableParallelism() - 1, 1), MAX_THREADS)
  const threads = createThreads<Jobs>({ count, clock, log, start })
  return {
    async verify(chainId, blocks) {
      const all = blocks.map(({ bytes }) => bytes)
      const checkHere = () => all.map((bytes) => Containers.hasValidSignature(chainId, bytes))
      if (all.length <= FEW_BLOCKS) return checkHere()
      const lengths = Uint32Array.from(all, ({ length }) => length)
      const input = { chainId, containers: Bytes.concat(...all), lengths }
      // The pool logs why threads end.
      const valid = await threads.run('checkSignatures', input).catch(() => undefined)
      return valid === undefined ? checkHere() : Array.from(valid, (one) => one === 1)
    },
    close: () => threads.close(),
  }
}

function start(): Worker {
  return new Worker(new URL(`./containers.worker.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url), {
    ...(IS_SOURCE ? { execArgv: ['--conditions=source'] } : {}),
  })
}
