import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestPostgres } from '@firn/sql/testing'
import * as Chains from './Chains.ts'
import * as Databases from './Databases.ts'
import * as Scene from './Scene.ts'
import { assertEqual, type Print, run } from './Steps.ts'

/** Time in which each part of a chain is accepted. */
const PART_MS = 4_000

/**
 * Archives the write-ahead log of a PostgreSQL server while services write, deletes blocks, restores the server to a time
 * before that, and lets services continue from there.
 * @throws DeployError `DEPLOY_STEP` if the restored heights or the final contents differ from what they should be
 */
export async function rehearse(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-restore-'))
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  try {
    const archive = join(folder, 'archive')
    mkdirSync(archive)
    // The account of the server writes into the folder.
    for (const path of [folder, archive]) chmodSync(path, 0o777)
    const settings = ['archive_mode=on', `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`]
    const server = await TestPostgres.start(settings)
    closers.push(() => server.close())
    const database = await TestPostgres.createDatabase(server.url, 'firn')
    const backup = join(folder, 'backup')
    await Databases.backUp(server, backup)
    await run('chmod', ['-R', 'a+rX', backup])
    print('the server is copied, and archives its write-ahead log')

    const scenes = await Scene.startAll(database, closers)
    await Promise.all(scenes.map((scene) => Scene.grow(scene, 0, 0.5, PART_MS)))
    for (const { replicas } of scenes) await Promise.all(replicas.map(Scene.stop))
    const before = await heights(database)
    const time = await Databases.sql(server.url, 'select clock_timestamp()')
    await sleep(1_000)
    for (const schema of ['primary_12345', 'evm_31337'])
      await Databases.sql(database, `delete from ${schema}.block where height > 5`)
    await Databases.sql(server.url, 'select pg_switch_wal()')
    await server.close()
    print(`blocks are deleted; the server is restored to ${time}`)

    const restored = await TestPostgres.start(
      [
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${time}`,
        'recovery_target_action=promote',
      ],
      1,
      async (data, start) => {
        await start('cp', ['-r', backup, data])
        await start('chmod', ['-R', 'go=', data])
        await start('touch', [join(data, 'recovery.signal')])
      },
    )
    closers.push(() => restored.close())
    while ((await Databases.sql(restored.url, 'select pg_is_in_recovery()')) !== 'f') await sleep(200)
    const again = Databases.urlOf(restored, 'firn')
    assertEqual('the restored height', before, await heights(again))
    print(`restored heights: ${before}`)
    for (const { name, node } of scenes) {
      const replica = await Chains.startReplica(name, node.found, again)
      closers.push(() => replica.end('SIGKILL'))
      node.write(String(Chains.CHAINS[name].blocks))
      await Chains.untilWhole(name, again)
      await Scene.stop(replica)
      const empty = await TestPostgres.createDatabase(restored.url, `new_${name}`)
      await Chains.assertWhole(name, node.found, again, empty)
      print(`${name}: the indexer continued from the restored height, and nothing is lost or doubled`)
    }
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

const heights = async (databaseUrl: string): Promise<string> => {
  const all = Chains.NAMES.map(async (name) => `${name} ${await Chains.stored(name, databaseUrl)}`)
  return (await Promise.all(all)).join(', ')
}
