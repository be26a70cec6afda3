const pipelines =
  /^(?:\.github\/workflows\/|\.circleci\/|\.buildkite\/|\.ci\/|(?:\.gitlab-ci|\.travis|\.drone|\.appveyor|appveyor|\.cirrus|azure-pipelines|bitbucket-pipelines)\.ya?ml$|jenkinsfile$)/i;

/** What a request that speaks of CI is about, although few of their names say so. Takes a normal path. */
export function configuresCi(path: string): boolean {
  return pipelines.test(path);
}

/** The term that such a file has among those of its name. */
export const ciTerm = 'ci';
