import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestPostgres } from '@firn/sql/testing'
import { DeployError } from '../DeployError.ts'
import { ROOT } from '../Repository.ts'
import * as Chains from './Chains.ts'
import * as Scene from './Scene.ts'
import { type Print, run } from './Steps.ts'

/** Time in which each part of a chain is accepted. */
const PART_MS = 4_000

/**
 * Upgrades two replicas of each service from the version before the newest migration of its tables to this one, under
 * reads, while the chains grow. Each replica is stopped and replaced, first the standby indexer, so both versions serve
 * one database for a while.
 * @throws DeployError `DEPLOY_STEP` if a read fails on both replicas, or if the database differs from a new one
 */
export async function rehearse(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-upgrade-'))
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    const server = await TestPostgres.start([])
    closers.push(() => server.close())
    for (const name of Chains.ALL_NAMES) {
      const old = await checkOut(Chains.CHAINS[name].migrations, folder, print)
      const database = await TestPostgres.createDatabase(server.url, name)
      const scene = await Scene.start(name, database, old, closers)
      print(`${name}: two replicas of the previous version serve the chain`)
      await upgrade(scene, database, print)
      await Chains.untilWhole(name, database)
      for (const replica of scene.replicas) await Scene.stop(replica)
      const empty = await TestPostgres.createDatabase(server.url, `new_${name}`)
      await Chains.assertWhole(name, scene.node.found, database, empty)
      print(`${name}: the upgraded database is equal to a new one`)
    }
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Checks out and installs the version before the newest migration in a folder, unless it is there. Returns its root. */
async function checkOut(migrations: string, folder: string, print: Print): Promise<string> {
  const root = join(folder, migrations.replaceAll('/', '-'))
  if (existsSync(root)) return root
  const files = readdirSync(join(ROOT, migrations)).filter((name) => name.endsWith('.sql'))
  const newest = `${migrations}/${files.sort().at(-1)}`
  // A file that was only moved was added earlier.
  const added = await run('git', ['log', '--follow', '-1', '--format=%H', '--diff-filter=A', '--', newest])
  if (added === '')
    throw new DeployError(
      'DEPLOY_STEP',
      'the history has no migration; fetch all of it (git fetch --unshallow)',
    )
  await run('git', ['clone', '--quiet', '--no-checkout', '.', root])
  await run('git', ['checkout', '--quiet', `${added}^`], root)
  const flags = ['install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts']
  await run('npx', ['-y', 'pnpm@12', ...flags], root)
  print(
    `version before the newest of ${migrations}: ${await run('git', ['log', '-1', '--format=%h %s'], root)}`,
  )
  return root
}

async function upgrade(scene: Scene.Scene, database: string, print: Print): Promise<void> {
  const stop = new AbortController()
  // The load balancer repeats a read once. There is no patience beyond that.
  const reading = Scene.read(scene, 0, stop.signal)
  const replace = async (index: 0 | 1) => {
    await Scene.stop(scene.replicas[index])
    scene.replicas[index] = await Chains.startReplica(scene.name, scene.node.found, database)
  }
  try {
    await Scene.grow(scene, 0, 0.3, PART_MS)
    // The second replica was started later, so it is the standby.
    await replace(1)
    print(`${scene.name}: the standby has the new version`)
    await Scene.grow(scene, 0.3, 0.6, PART_MS)
    await replace(0)
    print(`${scene.name}: both replicas have the new version`)
    await Scene.grow(scene, 0.6, 1, PART_MS)
  } finally {
    stop.abort()
  }
  Scene.assertServed(scene, await reading, print)
}
