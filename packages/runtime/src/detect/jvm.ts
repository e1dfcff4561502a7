import type { Ecosystem } from './ecosystem.ts';
import { commandGate } from './proposed-gate.ts';

/** Java, Kotlin and Scala by Gradle or Maven, through the wrapper where there is one. */
export const jvm: Ecosystem = {
  name: 'jvm',
  look(project) {
    const tested = project.files().some((path) => /(^|\/)src\/(test|\w+Test)\//.test(path));
    const gradle = project.first(
      'settings.gradle',
      'settings.gradle.kts',
      'build.gradle',
      'build.gradle.kts',
    );
    if (gradle) {
      const run = project.has('gradlew') ? './gradlew' : 'gradle';
      return [
        ...(tested ? [commandGate('tests', `${run} test`, `${gradle} and src/test are there`)] : []),
        commandGate('build', `${run} assemble`, `${gradle} is there`),
      ];
    }
    if (!project.has('pom.xml')) return null;
    const run = `${project.has('mvnw') ? './mvnw' : 'mvn'} -B -q`;
    return [
      ...(tested ? [commandGate('tests', `${run} test`, 'pom.xml and src/test are there')] : []),
      commandGate('build', `${run} -DskipTests package`, 'pom.xml is there'),
    ];
  },
  firstTest: 'add JUnit to the build, and write src/test/java/FirstTest.java with a method marked @Test',
};
