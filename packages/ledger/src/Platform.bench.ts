import { bench, describe } from 'vitest'
import * as Platform from './Platform.ts'
import * as PlatformState from './PlatformState.ts'
import { load } from './testing/recordings.ts'

describe.each(['local', 'helicon'] as const)('replay of %s', (name) => {
  const { genesis, constants, blocks } = load(name)

  bench(`${blocks.length} blocks from the genesis: decode, apply, commit`, () => {
    const state = PlatformState.create(genesis, constants)
    for (const block of blocks.slice(1)) PlatformState.commit(state, Platform.apply(state, block))
  })
})
