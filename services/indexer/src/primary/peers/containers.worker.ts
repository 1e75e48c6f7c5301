import { parentPort } from 'node:worker_threads'
import { serveJobs } from '@firn/runtime'
import { Containers } from '@firn/sync'
import type { Jobs } from './Jobs.ts'

if (parentPort !== null) {
  serveJobs<Jobs>(parentPort, {
    checkSignatures({ chainId, containers, lengths }) {
      let end = 0
      return Uint8Array.from(lengths, (length) => {
        const bytes = containers.subarray(end, end + length)
        end += length
        return Containers.hasValidSignature(chainId, bytes) ? 1 : 0
      })
    },
  })
}
