// Installs the tarballs of all public packages as users do, and runs them with every supported runtime. Needs a
// package registry and some minutes, so it is no part of the check.
import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as Consumer from './Consumer.ts'
import * as InstalledCli from './InstalledCli.ts'
import * as Runtimes from './Runtimes.ts'
import { compileSettings, importsOf } from './rules/Tarballs.ts'
import * as Workspace from './Workspace.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TOUR = join(ROOT, 'tools/check/consumer/tour.ts')

type Installed = Consumer.Installed

const tarballsOf = (installed: readonly Installed[]): Readonly<Record<string, string>> =>
  Object.fromEntries(installed.map(({ owner, tarball }) => [owner.name, `file:${tarball}`]))

const runtimeDependencies = Object.fromEntries(
  Object.values(Runtimes.RUNTIMES).map(({ name, dependency }) => [name, dependency]),
)

/** Compiles a program of a user with all settings, and the last time into JavaScript. */
const compileTour = async (folder: string, installed: readonly Installed[]): Promise<void> => {
  writeFileSync(join(folder, 'all.ts'), importsOf(installed))
  copyFileSync(TOUR, join(folder, 'tour.ts'))
  const violations = await compileSettings(folder, ['all.ts', 'tour.ts'], [])
  if (violations.length > 0) throw new Error(violations.map(({ message }) => message).join('\n'))
  const { script } = Consumer.compiler('typescript-least')
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--skipLibCheck']
  await Runtimes.run(folder, process.execPath, [script, ...options, 'tour.ts'])
}

/** Runs the compiled program with each runtime, which also imports all modules that support the runtime. */
const runTour = async (folder: string, installed: readonly Installed[]): Promise<void> => {
  for (const runtime of Object.values(Runtimes.RUNTIMES)) {
    const supported = installed.filter(({ manifest }) =>
      Runtimes.supports(runtime, manifest.engines?.['node'] ?? ''),
    )
    const names = supported.flatMap(Consumer.entryPoints)
    const output = await Runtimes.runScript(folder, runtime, ['tour.js', ...names])
    console.log(`${runtime.name}: ${output.trim()} modules of ${supported.length} packages`)
  }
}

const main = async (): Promise<void> => {
  const packed = await Consumer.create(Workspace.open(ROOT))
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'firn-installs-'))
  try {
    const libraries = packed.installed.filter(({ manifest }) => manifest.exports !== undefined)
    const consumer = join(folder, 'libraries')
    await Runtimes.install(consumer, {
      ...tarballsOf(libraries),
      ...runtimeDependencies,
      '@types/node': '^24',
    })
    await compileTour(consumer, libraries)
    await runTour(consumer, libraries)
    const programs = packed.installed.filter(({ manifest }) => manifest.exports === undefined)
    const cli = join(folder, 'cli')
    await Runtimes.install(cli, { ...tarballsOf(programs), ...runtimeDependencies })
    await InstalledCli.check(cli)
  } finally {
    rmSync(packed.folder, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
