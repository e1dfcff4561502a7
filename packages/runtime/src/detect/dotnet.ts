import type { Ecosystem } from './ecosystem.ts';
import { commandGate } from './proposed-gate.ts';

/** .NET: the solution or project at the root. */
export const dotnet: Ecosystem = {
  name: 'dotnet',
  look(project) {
    const files = project.files();
    const file = files.find((path) => /^[^/]+\.(sln|slnx|csproj|fsproj|vbproj)$/.test(path));
    if (file === undefined) return null;
    const tested = files
      .filter((path) => /\.(cs|fs|vb)proj$/.test(path))
      .find((path) => /Microsoft\.NET\.Test\.Sdk|MSTest|xunit|NUnit/i.test(project.read(path)));
    return [
      ...(tested ? [commandGate('tests', 'dotnet test', `${tested} is a test project`)] : []),
      commandGate('build', 'dotnet build', `${file} is there`),
    ];
  },
  firstTest: 'dotnet new xunit -o tests, and add it to the solution with dotnet sln add tests',
};
