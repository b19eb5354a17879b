! The same in Fortran: the module is chosen when it is compiled. A ring of five integers goes round as well.
program ranks
#ifdef F08
  use mpi_f08
#endif
#ifdef MODULE
  use mpi
#endif
  implicit none
#ifdef HEADER
  include 'mpif.h'
#endif
#ifdef F08
  type(MPI_Comm) :: half
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
  integer :: half, request, status(MPI_STATUS_SIZE)
#endif
  integer :: code, rank, processes, joined, ahead, behind
  integer :: out(5), in(5)
  character(len=16) :: number
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, processes, code)
  call get_environment_variable('OMPI_COMM_WORLD_RANK', number, status=code)
  if (code /= 0) call get_environment_variable('PMI_RANK', number)
  ahead = mod(rank + 1, processes)
  behind = mod(rank + processes - 1, processes)
  out = rank
  call MPI_Isend(out, 5, MPI_INTEGER, ahead, 3, MPI_COMM_WORLD, request, code)
  call MPI_Recv(in, 5, MPI_INTEGER, behind, 3, MPI_COMM_WORLD, status, code)
  call MPI_Wait(request, status, code)
  call MPI_Comm_split(MPI_COMM_WORLD, rank / (processes / 2), 0, half, code)
  call MPI_Allreduce(rank, joined, 1, MPI_INTEGER, MPI_SUM, half, code)
  call MPI_Send(out, 2, MPI_INTEGER, MPI_PROC_NULL, 3, MPI_COMM_WORLD, code)
  if (all(in == behind)) then
    write (*, '(A,1X,I0,1X,I0,1X,A)') trim(number), rank, joined, 'well'
  else
    write (*, '(A,1X,I0,1X,I0,1X,A)') trim(number), rank, joined, 'WRONG'
  end if
  call MPI_Finalize(code)
end program ranks
