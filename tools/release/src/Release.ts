import type { Consumer, Violation, Workspace } from '@firn/check'

const IMAGE = 'deploy/kubernetes/kustomization.yaml'

/** Returns the version of the release: the version of the command `firn`. */
export const version = ({ packages }: Workspace.Workspace): string =>
  packages.find(({ folder }) => folder === 'tools/cli')?.manifest.version ?? ''

/** Returns the text of a changelog for a version, without its heading, or an empty text. */
export const notes = (changelog: string, released: string): string => {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((one) => one.startsWith(`${released}\n`)) ?? ''
  return section.slice(released.length).trim()
}

const checkPackage = (workspace: Workspace.Workspace, { folder, name, manifest }: Workspace.Package) => {
  const released = version(workspace)
  const changelog = `${folder}/CHANGELOG.md`
  const text = workspace.files.includes(changelog) ? workspace.read(changelog) : ''
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  return [
    ...(manifest.version === undefined || manifest.version === released
      ? []
      : [`has version ${manifest.version}, but @firn/cli has ${released}`]),
    ...ranges
      .filter(
        ([other, range]) =>
          other.startsWith('@firn/') && !(/^workspace:[*^]$/.test(range) || range === `^${released}`),
      )
      .map(([other, range]) => `depends on ${other} ${range}, but the release is ${released}`),
    ...(manifest.private === true || (text.startsWith(`# ${name}\n`) && notes(text, released) !== '')
      ? []
      : [`${changelog} needs the heading "# ${name}" and a section "## ${released}"`]),
  ].map((message): Violation => ({ where: `${folder}/package.json`, message }))
}

/** Returns where packages, changelogs and manifests disagree about the version of the release. */
export const problems = (workspace: Workspace.Workspace): readonly Violation[] => {
  const tag = /newTag: (\S+?) *\}/.exec(workspace.read(IMAGE))?.[1]
  return [
    ...workspace.packages.flatMap((owner) => checkPackage(workspace, owner)),
    ...(tag === version(workspace)
      ? []
      : [{ where: IMAGE, message: `the image has tag ${tag}, but the release is ${version(workspace)}` }]),
  ]
}

/** Returns the changesets that no changelog contains yet. */
export const pending = ({ files }: Workspace.Workspace): readonly Violation[] =>
  files
    .filter((path) => /^\.changeset\/.+\.md$/.test(path) && path !== '.changeset/README.md')
    .map((where) => ({ where, message: 'is not in a changelog; run npm run release:version' }))

/** Returns violations of tarballs whose version, or whose dependencies on each other, are not of this release. */
export const checkTarballs = (
  installed: readonly Pick<Consumer.Installed, 'owner' | 'manifest'>[],
  released: string,
): readonly Violation[] =>
  installed.flatMap(({ owner, manifest }) => {
    const inner = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.startsWith('@firn/'))
    const wrong = [
      ...(manifest.version === released ? [] : [`the tarball has version ${manifest.version}`]),
      ...inner
        .filter(([, range]) => range !== `^${released}`)
        .map(([name, range]) => `the tarball depends on ${name} ${range}`),
    ]
    return wrong.map((message) => ({
      where: owner.folder,
      message: `${message}; the release is ${released}`,
    }))
  })

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Formats what is published: a line for each tarball with its size, and the sum. */
export const format = (
  installed: readonly Pick<Consumer.Installed, 'manifest' | 'files'>[],
  sizes: readonly number[],
): string => {
  const lines = installed.map(({ manifest: { name, version: released, exports, bin }, files }, index) => {
    const contents = [
      ...(exports === undefined ? [] : [count(Object.keys(exports).length, 'entry point')]),
      ...Object.keys(bin ?? {}).map((program) => `program ${program}`),
    ]
    const size = `${Math.ceil((sizes[index] ?? 0) / 1000)} kB`
    return `${`${name}@${released}`.padEnd(28)} ${size.padStart(8)}  ${count(files.length, 'file')}, ${contents.join(', ')}`
  })
  const total = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1000)
  return [...lines, `${installed.length} packages, ${total} kB, tag latest, access public`].join('\n')
}
