import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestPostgres } from '@firn/sql/testing'
import * as Chains from './Chains.ts'
import * as Databases from './Databases.ts'
import * as Scene from './Scene.ts'
import type { Print } from './Steps.ts'

/** Time in which each part of a chain is accepted. */
const PART_MS = 5_000
/** Time in which services must answer again after the failover. */
const PATIENCE_MS = 60_000

/**
 * Lets the PostgreSQL server crash while services write and are read, promotes its standby, and points the address that
 * services use to it.
 * @throws DeployError `DEPLOY_STEP` if reads fail for a minute, or if the database differs from an undisturbed one
 */
export async function rehearse(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-failover-'))
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    const primary = await TestPostgres.start([])
    closers.push(() => primary.close())
    await TestPostgres.createDatabase(primary.url, 'firn')
    const standby = await Databases.startStandby(primary)
    closers.push(() => standby.close())
    // Like the name or the virtual address of the server that is the primary.
    const address = join(folder, 'server')
    const point = (server: TestPostgres.Server) => {
      symlinkSync(Databases.folderOf(server), `${address}-next`)
      renameSync(`${address}-next`, address)
    }
    point(primary)
    const database = `postgres://firn@localhost/firn?host=${encodeURIComponent(address)}`
    const scenes = await Scene.startAll(database, closers)
    print('two replicas serve each chain from the primary server')

    const stop = new AbortController()
    const reading = Promise.all(scenes.map((scene) => Scene.read(scene, PATIENCE_MS, stop.signal)))
    await Promise.all(scenes.map((scene) => Scene.grow(scene, 0, 0.5, PART_MS)))
    const growing = Promise.all(scenes.map((scene) => Scene.grow(scene, 0.5, 1, 2 * PART_MS)))
    await primary.crash()
    print('the primary server has crashed')
    await Databases.promote(standby)
    point(standby)
    print('the standby is promoted')
    await growing
    for (const { name } of scenes) await Chains.untilWhole(name, database)
    stop.abort()
    const reads = await reading
    // Batches of several blocks do not wait for the standby, so the newest of them are fetched again.
    for (const [i, scene] of scenes.entries()) Scene.assertServed(scene, reads[i] as Scene.Reads, print, true)
    for (const { name, node, replicas } of scenes) {
      for (const replica of replicas) await Scene.stop(replica)
      const empty = await TestPostgres.createDatabase(standby.url, `new_${name}`)
      await Chains.assertWhole(name, node.found, database, empty)
      print(`${name}: nothing is lost or doubled`)
    }
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
