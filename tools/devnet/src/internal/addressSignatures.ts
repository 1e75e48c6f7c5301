import { Worker } from 'node:worker_threads'
import { ProofOfPossession, type SecretKey } from '@firn/bls'
import { key } from '../State.ts'

/** A validator's announced address, to be signed with the validator's BLS key. */
export interface AddressJob {
  readonly secretKey: SecretKey.SecretKey
  readonly message: Uint8Array
}

/** Signs addresses for handshakes, either ahead of time in a separate thread or on demand. */
export interface AddressSignatures {
  /** Returns the signature of an address, 96 bytes. */
  sign(job: AddressJob): Uint8Array
  /** Starts signing addresses in the background. */
  prepare(jobs: readonly AddressJob[]): void
  /** Resolves when all prepared addresses are signed. */
  prepared(): Promise<void>
  close(): Promise<void>
}

/**
 * Whether this module runs from its TypeScript source. In this case, the thread must also resolve packages to
 * their sources.
 */
const IS_SOURCE = import.meta.url.endsWith('.ts')

/**
 * Creates a signer of addresses. Each signature takes 20 ms of CPU time, so a thousand handshakes at once
 * would block everything else.
 */
export function createAddressSignatures(): AddressSignatures {
  const known = new Map<string, Uint8Array>()
  let worker: Worker | undefined
  let done = Promise.resolve()
  return {
    sign({ secretKey, message }) {
      const name = nameOf(secretKey, message)
      const signature = known.get(name) ?? ProofOfPossession.sign(secretKey, message).compressed
      known.set(name, signature)
      return signature
    },
    prepare(jobs) {
      const file = `./addressSignatures.worker.${IS_SOURCE ? 'ts' : 'js'}`
      const started = new Worker(new URL(file, import.meta.url), {
        ...(IS_SOURCE ? { execArgv: ['--conditions=source'] } : {}),
        workerData: jobs.map(({ secretKey, message }) => ({ secretKey: secretKey.bytes, message })),
      })
      worker = started
      started.unref()
      started.on(
        'message',
        ({ index, signature }: { readonly index: number; readonly signature: Uint8Array }) => {
          const job = jobs[index] as AddressJob
          known.set(nameOf(job.secretKey, job.message), signature)
        },
      )
      done = new Promise((resolve, reject) => {
        started.once('error', reject)
        started.once('exit', () => resolve())
      })
      // Callers that wait for a signature get the error. It is ignored here, because missing signatures are
      // created on demand.
      done.catch(() => undefined)
    },
    prepared: () => done,
    async close() {
      await worker?.terminate()
    },
  }
}

function nameOf(secretKey: SecretKey.SecretKey, message: Uint8Array): string {
  return key(secretKey.bytes) + key(message)
}
