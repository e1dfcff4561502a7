import { splitRequirement } from './dependencies.ts';

/** A manifest that is a program or a list: what asks for dependencies, and the rest, which is the frame. */
export interface Framed {
  frame: string[];
  dependencies: Map<string, string>;
}

/** Takes one kind of text apart. Only lines that can do nothing but ask for a dependency are taken out. */
export type Frame = (text: string) => Framed;

/** Every line that the pattern takes asks for the dependency in its first group, with what its second says. */
function lines(pattern: RegExp): Frame {
  return (text) => {
    const framed: Framed = { frame: [], dependencies: new Map() };
    for (const line of text.split(/\r?\n/)) {
      const match = pattern.exec(line);
      if (match?.[1] !== undefined) framed.dependencies.set(match[1], (match[2] ?? '').trim());
      else if (line.trim() !== '') framed.frame.push(line.trimEnd());
    }
    return framed;
  };
}

export const gemfile = lines(
  /^\s*gem\s*\(?\s*['"]([\w.-]+)['"]\s*((?:,\s*['"][~<>=!\s\d.a-z-]*['"]\s*)*(?:,\s*require:\s*(?:false|true))?)\)?\s*$/,
);

export const gradle = lines(
  /^\s*(?:api|implementation|compileOnly|runtimeOnly|annotationProcessor|kapt|ksp|test\w*Only|test\w*[iI]mplementation|debugImplementation)\s*\(?\s*(?:platform\()?['"]([\w.-]+:[\w.-]+)(:[\w.+-]+)?['"]\)?\)?\s*$/,
);

export const mix = lines(
  /^\s*\{\s*:(\w+)\s*,\s*("[~<>=\s\d.a-z-]*")\s*(?:,\s*(?:only|runtime):\s*[\w:[\], ]+)?\s*\},?\s*$/,
);

export const msbuild: Frame = (text) => {
  const dependencies = new Map<string, string>();
  const rest = text.replaceAll(
    /^[ \t]*<PackageReference\s+Include="([\w.-]+)"\s+Version="([\w.*-]+)"\s*\/>[ \t]*\r?\n/gm,
    (_whole, name: string, version: string) => {
      dependencies.set(name, version);
      return '';
    },
  );
  return { frame: framed(rest), dependencies };
};

/** Dependencies of plug-ins, of profiles and of the build are part of the frame. */
export const pom: Frame = (text) => {
  const dependencies = new Map<string, string>();
  const kept: string[] = [];
  let depth = 0;
  let last = 0;
  let opened = -1;
  for (const { 0: tag, index } of text.matchAll(
    /<\/?(?:build|profiles|dependencyManagement|reporting|pluginManagement|dependency)>/g,
  )) {
    if (tag === '<dependency>') opened = depth === 0 ? index : -1;
    else if (tag !== '</dependency>') depth += tag.startsWith('</') ? -1 : 1;
    else if (opened >= 0) {
      const body = text.slice(opened, index);
      const said = (name: string) =>
        new RegExp(`<${name}>([^<]{0,200})</${name}>`).exec(body)?.[1]?.trim() ?? '';
      dependencies.set(
        `${said('groupId')}:${said('artifactId')}`,
        `${said('version')} ${said('scope')}`.trim(),
      );
      kept.push(text.slice(last, opened));
      last = index + tag.length;
      opened = -1;
    }
  }
  return { frame: framed([...kept, text.slice(last)].join('')), dependencies };
};

export const goMod: Frame = (text) => {
  const dependencies = new Map<string, string>();
  const frame: string[] = [];
  let inRequire = false;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.replace(/\/\/.*$/, '').trim();
    if (/^require\s*\($/.test(line)) inRequire = true;
    else if (inRequire && line === ')') inRequire = false;
    else {
      const match = (inRequire ? /^(\S+)\s+(v\S+)$/ : /^require\s+(\S+)\s+(v\S+)$/).exec(line);
      if (match !== null) dependencies.set(match[1] ?? '', match[2] ?? '');
      else if (line !== '' && !/^(?:module|go)\s/.test(line)) frame.push(line);
    }
  }
  return { frame, dependencies };
};

/** Options, other files and places that are named in a list of requirements are its frame. */
export const requirements: Frame = (text) => {
  const dependencies = new Map<string, string>();
  const frame: string[] = [];
  for (const raw of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const line = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (line === '') continue;
    if (/^-|^\.|^\/|:\/\/|@\s/.test(line)) frame.push(line);
    else dependencies.set(...splitRequirement(line));
  }
  return { frame, dependencies };
};

/** What the package is, is the agent's; sections of tools and entry points are the frame. */
export const setupCfg: Frame = (text) => {
  const dependencies = new Map<string, string>();
  const frame: string[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim() ?? section;
    const isFree =
      /^(?:metadata|options(?:\.(?:extras_require|packages\.find|package_data|exclude_package_data|data_files))?)$/.test(
        section,
      );
    if (!isFree && line.trim() !== '' && !/^\s*[#;]/.test(line)) frame.push(line.trimEnd());
    const asked =
      isFree && section.startsWith('options') && /^\s+[A-Za-z][\w.-]*\s*(?:[<>=!~[].*)?$/.test(line);
    if (asked) dependencies.set(...splitRequirement(line));
  }
  return { frame, dependencies };
};

const framed = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter(Boolean);
