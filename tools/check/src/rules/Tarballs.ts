import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as Consumer from '../Consumer.ts'
import * as Fences from '../Fences.ts'
import * as Linted from '../Linted.ts'
import * as OldestCompiler from '../OldestCompiler.ts'
import * as Packed from '../Packed.ts'
import type { Finding, Rule, Subject, Violation } from '../Rule.ts'
import { fencesOf } from './Examples.ts'

/** A combination of compiler options with which the consumer project is compiled. */
type Setting = {
  readonly compiler: 'typescript' | 'typescript-least'
  readonly moduleResolution: 'nodenext' | 'bundler'
  readonly exactOptionalPropertyTypes: boolean
}

// Each compiler resolves modules in both ways. The other option changes with it, so that there are four runs instead of
// eight.
const SETTINGS: readonly Setting[] = [
  {
    compiler: 'typescript-least',
    moduleResolution: 'nodenext',
    exactOptionalPropertyTypes: false,
  },
  {
    compiler: 'typescript-least',
    moduleResolution: 'bundler',
    exactOptionalPropertyTypes: true,
  },
  {
    compiler: 'typescript',
    moduleResolution: 'nodenext',
    exactOptionalPropertyTypes: false,
  },
  {
    compiler: 'typescript',
    moduleResolution: 'bundler',
    exactOptionalPropertyTypes: true,
  },
]

/** Returns the text of a module that exports all entry points. */
export const importsOf = (installed: readonly Consumer.Installed[]): string =>
  installed
    .flatMap(Consumer.entryPoints)
    .map((name, index) => `export * as entry${index} from '${name}'\n`)
    .join('')

/** Compiles the files with every setting; files of examples only with the newest compiler. */
export const compileSettings = async (
  folder: string,
  files: readonly string[],
  written: readonly Fences.Written[],
): Promise<readonly Violation[]> => {
  const violations: Violation[] = []
  const oldest = OldestCompiler.create(folder, OldestCompiler.isOwn(folder))
  for (const setting of SETTINGS) {
    const isNewest = setting.compiler === 'typescript'
    const all = [...files, ...(isNewest ? written.map((one) => one.written) : [])]
    const project = writeProject(folder, setting, all)
    const output = isNewest ? await Fences.runCompiler(project, folder) : oldest.messages(project)
    violations.push(
      ...Fences.translate(output, written).map(({ where, message }) => ({
        where,
        message: `${message} (${describe(setting)})`,
      })),
    )
  }
  return violations
}

/** Returns a violation for each entry point that Node cannot load from the tarballs. */
const load = async (
  folder: string,
  installed: readonly Consumer.Installed[],
): Promise<readonly Violation[]> => {
  const program = join(folder, 'load.mjs')
  writeFileSync(program, Consumer.LOAD)
  const names = installed.flatMap(Consumer.entryPoints)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...names], { cwd: folder })
  return (JSON.parse(stdout) as readonly (readonly [string, string])[]).map(([where, message]) => ({
    where,
    message: `cannot be loaded from its tarball: ${message}`,
  }))
}

/** Returns a violation for each program of a service that does not print its version from the tarball. */
const startPrograms = async (installed: readonly Consumer.Installed[]): Promise<readonly Violation[]> => {
  // Only packages with exports have their dependencies in the project.
  const services = installed.filter(({ manifest }) => manifest.exports !== undefined)
  const outcomes = services.flatMap(({ owner, folder, manifest: { bin = {}, version = '' } }) =>
    Object.entries(bin).map(async ([name, path]) => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [
        join(folder, path),
        '--version',
      ]).catch((error: { stdout: string; stderr: string }) => error)
      const message = `${name} --version should print ${version}, got ${stdout}${stderr}`
      return stdout.trim() === version ? [] : [{ where: `${owner.folder}/package.json`, message }]
    }),
  )
  return (await Promise.all(outcomes)).flat()
}

const configuration = (setting: Setting, files: readonly string[]) => ({
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    types: ['node'],
    module: setting.moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: setting.moduleResolution,
    exactOptionalPropertyTypes: setting.exactOptionalPropertyTypes,
  },
  files,
})

const describe = ({ compiler, moduleResolution, exactOptionalPropertyTypes }: Setting): string =>
  `TypeScript ${Consumer.compiler(compiler).version}, ${moduleResolution}, ` +
  `${exactOptionalPropertyTypes ? 'with' : 'without'} exactOptionalPropertyTypes`

/** Writes the configuration of the consumer project, and returns its path. */
const writeProject = (folder: string, setting: Setting, files: readonly string[]): string => {
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(configuration(setting, files)))
  return project
}

/**
 * Returns the examples of public packages with exports. Omits examples that import a private package, because they compile
 * only inside the repository. Omits examples that import test helpers, because users do not install the test
 * libraries.
 */
const examplesOf = (subject: Subject, installed: readonly Consumer.Installed[]): readonly Fences.Placed[] => {
  const { workspace, sources } = subject
  const isPublic = (folder: string) =>
    installed.some(({ owner, manifest }) => owner.folder === folder && manifest.exports !== undefined)
  const hidden = workspace.packages.filter(({ folder }) => !isPublic(folder))
  const readmes = installed.flatMap(({ owner: { folder } }) => {
    const file = `${folder}/README.md`
    const text = workspace.files.includes(file) ? workspace.read(file) : ''
    return Fences.inMarkdown(text).map((fence) => ({ folder, file, fence }))
  })
  const stands = ({ code }: Fences.Fence) =>
    !/from '@firn\/[\w-]+\/testing'/.test(code) && !hidden.some(({ name }) => code.includes(`'${name}`))
  return [...readmes, ...sources.flatMap(fencesOf)].filter(
    ({ folder, fence }) => isPublic(folder) && stands(fence),
  )
}

/** Checks the contents of installed tarballs, and compiles and loads them in their project. */
export const examine = async (
  subject: Subject,
  { folder, installed }: Consumer.Consumer,
): Promise<Finding> => {
  writeFileSync(join(folder, 'consumer.ts'), importsOf(installed))
  const written = Fences.write(folder, 'examples', examplesOf(subject, installed))
  for (const { owner } of installed) {
    const at = join(folder, owner.folder)
    mkdirSync(at, { recursive: true })
    Consumer.linkForExamples(subject.workspace.root, owner, at)
  }
  const violations = [
    ...installed.flatMap((one) => Packed.problems(one)),
    ...(await Promise.all(installed.map(Linted.problems))).flat(),
    ...(await load(folder, installed)),
    ...(await startPrograms(installed)),
    ...(await compileSettings(folder, ['consumer.ts'], written)),
  ]
  return {
    examined: `${installed.length} packages, ${written.length} examples, ${SETTINGS.length} settings`,
    violations,
  }
}

const run = async (subject: Subject): Promise<Finding> => {
  const consumer = await Consumer.create(subject.workspace)
  try {
    return await examine(subject, consumer)
  } finally {
    rmSync(consumer.folder, { recursive: true, force: true })
  }
}

/**
 * Checks that packed public packages contain what users need and nothing else, and that their types compile in a strict
 * project that installs them.
 */
export const tarballs: Rule = { name: 'tarballs', run }
