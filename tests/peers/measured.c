/* measured FILE PROGRAM ARGUMENT ...: runs the program to its end and writes its exit status, CPU seconds (user and
 * system) and peak memory in bytes to FILE, those of its children included. Small on purpose: the peak that Linux
 * reports for a child starts at the size of the process that forked it, which would be Python's. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv)
{
  if (argc < 3)
    return 2;
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage used;
  if (child < 0 || wait4(child, &status, 0, &used) < 0)
    return 3;
  FILE* out = fopen(argv[1], "w");
  if (out == NULL)
    return 4;
  fprintf(out, "%d %.6f %lld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
              (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6,
          (long long)used.ru_maxrss * 1024);
  return fclose(out) != 0;
}
