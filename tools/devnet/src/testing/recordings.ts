import type { ChainAlias } from '@firn/codec'
import { Recordings } from '@firn/store/testing'
import * as RecordedNetwork from '../recorded/RecordedNetwork.ts'

/** Returns a source of the blocks of a network that was recorded from nodes. */
export function sourceOf(recording: Recordings.Recording): RecordedNetwork.BlockSource {
  const chain = (alias: ChainAlias) => recording.chains[alias]
  return {
    tip: async (alias) => BigInt(chain(alias).length),
    blocks: async (alias, from, limit) =>
      chain(alias)
        .slice(Number(from) - 1, Number(from) - 1 + limit)
        .map(({ bytes, container }) =>
          container === undefined
            ? { kind: 'block' as const, bytes }
            : { kind: 'container' as const, bytes: container.bytes, acceptedAt: container.acceptedAt },
        ),
  }
}

/** Returns the recorded local network. */
export function localNetwork(): Promise<RecordedNetwork.RecordedNetwork> {
  const recording = Recordings.load('local')
  return RecordedNetwork.read({ rules: recording, source: sourceOf(recording) })
}
