import { expect, it } from 'vitest'
import { createEvmParticipants } from './testing/chaos/evmParticipant.ts'
import { createNetworkParticipant } from './testing/chaos/networkParticipant.ts'
import { run } from './testing/chaos/Participant.ts'
import { seeded } from './testing/random.ts'

/** Seconds for which sources lie. If it is not set, each chain gets a few lies. */
const SECONDS = process.env['FIRN_SOURCE_CHAOS_SECONDS']
/** Longest time in milliseconds until a lie is named. A busy machine asks the liar rarely. */
const PATIENCE_MS = 300_000
const SEED = Number(process.env['FIRN_SOURCE_CHAOS_SEED'] ?? 1)
/** Number of lies of each chain in the short form. */
const TURNS = 8

it('indexes honest data completely while sources lie, and names every lie', async () => {
  const isLong = SECONDS !== undefined
  const end = Date.now() + Number(SECONDS ?? 0) * 1000
  const evm = await createEvmParticipants({ chainIds: [101n, 102n], seed: SEED, patienceMs: PATIENCE_MS })
  const network = await createNetworkParticipant({ patienceMs: PATIENCE_MS })
  try {
    const { told, findings } = await run({
      participants: [...evm.participants, network],
      random: seeded(SEED),
      turns: isLong ? Number.POSITIVE_INFINITY : TURNS,
      isOver: () => isLong && Date.now() > end,
    })
    expect(findings).toEqual([])
    for (const [name, lies] of told) {
      const turns = [...lies.values()].reduce((sum, count) => sum + count, 0)
      if (isLong) process.stdout.write(`${name}: ${turns} turns, ${lies.size} kinds of lies\n`)
      else expect(turns).toBe(TURNS)
    }
  } finally {
    await Promise.all([evm.close(), network.close()])
  }
})
