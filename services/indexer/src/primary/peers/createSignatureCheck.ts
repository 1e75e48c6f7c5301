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

/** Maximum number of signatures that are checked in the calling thread, which takes about 10 ms. */
const FEW_BLOCKS = 100
const MAX_THREADS = 4
/** Limit of a thread's memory for new objects. V8 would use up to 192 MB before it collects them. */
const YOUNG_MEGABYTES = 24

/** Whether this module runs from its TypeScript source. In this case, the thread must also resolve packages to theirs. */
const IS_SOURCE = import.meta.url.endsWith('.ts')

/** Creates a check whose threads start with the first large answer of a peer. One processor is left to this thread. */
export function createSignatureCheck(clock: Clock, log: Pick<Logger, 'warn'>): SignatureCheck {
  const count = Math.min(Math.max(availableParallelism() - 1, 1), MAX_THREADS)
  const threads = createThreads<Jobs>({ count, clock, log, start })
  const checkInThread = async (chainId: Uint8Array, blocks: readonly Block[]) => {
    const all = blocks.map(({ bytes }) => bytes)
    const lengths = Uint32Array.from(all, ({ length }) => length)
    const input = { chainId, containers: Bytes.concat(...all), lengths }
    // The pool logs why threads end. Blocks without a result are checked in the calling thread.
    const valid = await threads.run('checkSignatures', input).catch(() => new Uint8Array())
    return new Map(Array.from(valid, (one, i) => [blocks[i], one === 1]))
  }
  return {
    async verify(chainId, blocks) {
      const signed = blocks.filter(({ bytes }) => hasCertificate(bytes))
      const known = signed.length > FEW_BLOCKS ? await checkInThread(chainId, signed) : undefined
      return blocks.map((block) => known?.get(block) ?? Containers.hasValidSignature(chainId, block.bytes))
    },
    close: () => threads.close(),
  }
}

function start(): Worker {
  return new Worker(new URL(`./containers.worker.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    ...(IS_SOURCE ? { execArgv: ['--conditions=source'] } : {}),
  })
}

/** Types of containers with a signature. */
const SIGNED_TYPES = [0, 2]
/** Offset of the certificate's length: after version, type, parent id, time and P-chain height. */
const CERTIFICATE_AT = 54

/** Returns whether bytes look like a container with a certificate. The others take little time to check. */
function hasCertificate({ buffer, byteOffset, length }: Uint8Array): boolean {
  const end = CERTIFICATE_AT + 4
  if (length < end) return false
  const view = new DataView(buffer, byteOffset)
  const size = view.getUint32(CERTIFICATE_AT)
  return SIGNED_TYPES.includes(view.getUint32(2)) && size > 0 && size <= length - end
}
