/* The application whose trace is mixed_4.txt: every form of line that SimGrid 3.32 both records and replays.
 *   smpicc mixed_4.c -o mixed_4
 *   smpirun -np 4 -platform p.xml -hostfile h -trace-ti --cfg=tracing/filename:mixed_4.txt --cfg=smpi/simulate-computation:0 ./mixed_4
 * (its files renamed to mixed_4_rank_0.txt and so on). Counts differ by rank in the collectives that allow it, and are 0 in some. */
#include <mpi.h>
#include <stdio.h>
int main(int c,char**v){
 MPI_Init(&c,&v); int r,n; MPI_Comm_rank(MPI_COMM_WORLD,&r); MPI_Comm_size(MPI_COMM_WORLD,&n);
 static double a[400000],b[400000]; MPI_Request q[4]; MPI_Status s[4]; int right=(r+1)%n,left=(r+n-1)%n;
 if(r%2==0) MPI_Send(a,10000,MPI_DOUBLE,right,5,MPI_COMM_WORLD); else MPI_Recv(b,20000,MPI_DOUBLE,left,5,MPI_COMM_WORLD,s);
 MPI_Barrier(MPI_COMM_WORLD);
 MPI_Send(a,1,MPI_INT,MPI_PROC_NULL,3,MPI_COMM_WORLD);
 MPI_Isend(a,12000,MPI_CHAR,right,7,MPI_COMM_WORLD,&q[0]); MPI_Irecv(b,12000,MPI_CHAR,left,7,MPI_COMM_WORLD,&q[1]); MPI_Wait(&q[1],s); MPI_Wait(&q[0],s);
 MPI_Isend(a,12000,MPI_FLOAT,right,8,MPI_COMM_WORLD,&q[0]); MPI_Irecv(b,12000,MPI_FLOAT,left,8,MPI_COMM_WORLD,&q[1]); MPI_Waitall(2,q,s);
 MPI_Irecv(b,100,MPI_SHORT,left,9,MPI_COMM_WORLD,&q[0]); MPI_Irecv(b+1000,100,MPI_SHORT,left,9,MPI_COMM_WORLD,&q[1]);
 MPI_Send(a,100,MPI_SHORT,right,9,MPI_COMM_WORLD); MPI_Isend(a,100,MPI_SHORT,right,9,MPI_COMM_WORLD,&q[2]); MPI_Wait(&q[1],s); MPI_Wait(&q[0],s); MPI_Wait(&q[2],s);
 MPI_Sendrecv(a,13000,MPI_DOUBLE,right,10,b,13000,MPI_DOUBLE,left,10,MPI_COMM_WORLD,s);
 MPI_Irecv(b,500,MPI_LONG,MPI_ANY_SOURCE,11,MPI_COMM_WORLD,&q[0]); MPI_Send(a,500,MPI_LONG,right,11,MPI_COMM_WORLD); MPI_Wait(&q[0],s);
 MPI_Bcast(a,10000,MPI_DOUBLE,2,MPI_COMM_WORLD);
 MPI_Reduce(a,b,10100,MPI_DOUBLE,MPI_SUM,1,MPI_COMM_WORLD);
 MPI_Allreduce(a,b,10200,MPI_INT,MPI_SUM,MPI_COMM_WORLD);
 MPI_Alltoall(a,1003,MPI_INT,b,1003,MPI_INT,MPI_COMM_WORLD);
 MPI_Allgather(a,1040,MPI_INT,b,1040,MPI_INT,MPI_COMM_WORLD);
 MPI_Gather(a,1050,MPI_INT,b,r==1?1050:0,MPI_INT,1,MPI_COMM_WORLD);
 MPI_Scatter(a,1060,MPI_INT,b,1060,MPI_INT,1,MPI_COMM_WORLD);
 int cnt[64],dis[64],cn2[64],rc[64]; for(int i=0;i<n;i++){cnt[i]=(r==1&&i==2)?0:1000+77*r+i*(r+3);rc[i]=(i==1&&r==2)?0:1000+77*i+r*(i+3);dis[i]=i*3000;cn2[i]=i==2?0:1000+300*i;}
 MPI_Alltoallv(a,cnt,dis,MPI_INT,b,rc,dis,MPI_INT,MPI_COMM_WORLD);
 MPI_Allgatherv(a,r==2?0:1000+300*r,MPI_INT,b,cn2,dis,MPI_INT,MPI_COMM_WORLD);
 MPI_Gatherv(a,r==2?0:1000+300*r,MPI_INT,b,cn2,dis,MPI_INT,3,MPI_COMM_WORLD);
 MPI_Scatterv(a,cn2,dis,MPI_INT,b,r==2?0:1000+300*r,MPI_INT,3,MPI_COMM_WORLD);
 for(int i=0;i<n;i++) cn2[i]=500; MPI_Reduce_scatter(a,b,cn2,MPI_INT,MPI_SUM,MPI_COMM_WORLD);
 MPI_Scan(a,b,17,MPI_INT,MPI_SUM,MPI_COMM_WORLD);
 MPI_Exscan(a,b,18,MPI_INT,MPI_SUM,MPI_COMM_WORLD);
 double t=MPI_Wtime(); printf("rank %d ends at %.9f\n",r,t); MPI_Finalize(); return 0;}
